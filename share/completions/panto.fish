# fish completion of panto: put this file into ~/.config/fish/completions.
complete -c panto -f
set -l commands run tutor local sessions auth trust init test update doctor bootstrap lua help
complete -c panto -n "not __fish_seen_subcommand_from $commands" -a "$commands"
complete -c panto -n "not __fish_seen_subcommand_from $commands" -l resume -l fork -l version
complete -c panto -l model -x
complete -c panto -n "__fish_seen_subcommand_from run" -l json -l resume -l fork
complete -c panto -n "__fish_seen_subcommand_from run" -l max-turns -x
complete -c panto -n "__fish_seen_subcommand_from run" -l input -x -a jsonl
complete -c panto -n "__fish_seen_subcommand_from local" -l url -x
complete -c panto -n "__fish_seen_subcommand_from local" -l own -l yes
complete -c panto -n "__fish_seen_subcommand_from sessions" -a "show export delete"
complete -c panto -n "__fish_seen_subcommand_from auth" -a "status login logout"
complete -c panto -n "__fish_seen_subcommand_from trust" -a "status revoke"
complete -c panto -n "__fish_seen_subcommand_from bootstrap" -l force
complete -c panto -n "__fish_seen_subcommand_from lua test" -F
