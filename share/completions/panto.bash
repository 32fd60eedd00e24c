# bash completion of panto: source this file, or put it where bash-completion looks.
_panto() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words IFS=$' \t\n'
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    words="run tutor local sessions auth trust init test update doctor bootstrap lua help
      --resume --fork --model --version --help"
  else
    case ${COMP_WORDS[1]} in
      run) words="--json --model --resume --fork --max-turns --input" ;;
      local) words="--own --yes --url" ;;
      sessions)
        case ${COMP_WORDS[2]} in
          show) ;;
          export) words="--md --html -o" ;;
          delete) words="--yes" ;;
          *) words="--all --json" ;;
        esac
        ((COMP_CWORD > 2)) || words="show export delete --all --json"
        ;;
      auth) ((COMP_CWORD > 2)) || words="status login logout" ;;
      trust) ((COMP_CWORD > 2)) || words="status revoke" ;;
      bootstrap) words="--force" ;;
      test) words="--filter" ;;
      -*) words="--resume --fork --model" ;;
    esac
  fi
  case $before in
    --input) words=jsonl ;;
    --model | --max-turns | --url | --filter) return ;;
  esac
  if [[ ${COMP_WORDS[1]} == lua || ${COMP_WORDS[1]} == test && $word != -* || $before == -o ]]; then
    compopt -o filenames 2>/dev/null
    IFS=$'\n'
    COMPREPLY=($(compgen -f -- "$word"))
  else
    COMPREPLY=($(compgen -W "$words" -- "$word"))
  fi
}
complete -F _panto panto
