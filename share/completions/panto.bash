# bash completion of panto: source this file, or put it where bash-completion looks.
_panto() {
  local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} words
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    words="run tutor local sessions auth trust init test update doctor bootstrap lua help
      --resume --fork --model --version --help"
  else
    case $command in
      run) words="--json --model --resume --fork --max-turns --input" ;;
      local) words="--url --own --yes" ;;
      sessions) words="show export delete" ;;
      auth) words="status login logout" ;;
      trust) words="status revoke" ;;
      bootstrap) words="--force" ;;
      lua | test) COMPREPLY=($(compgen -f -- "$word")) && return ;;
      -*) words="--resume --fork --model" ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -F _panto panto
