/**
 * What `elastic completion bash` prints. The one of the library needs the package bash-completion and cannot be
 * loaded twice; this one needs bash alone. It calls the hidden command `complete` in the same way.
 */
export const BASH_SCRIPT = `# bash completion for elastic. Load it in this shell, or by a line in ~/.bashrc:
#   source <(elastic completion bash)
# It needs nothing but bash, and may be loaded again.

__elastic_complete() {
    # In bash = and : separate words; what is completed is the complete word that the user sees.
    local line="\${COMP_LINE:0:COMP_POINT}" words cur out directive value
    read -ra words <<< "$line"
    cur="\${words[\${#words[@]}-1]}"
    if [[ "$line" == *[[:space:]] ]]; then
        words+=("")
        cur=""
    fi
    out=$(elastic complete -- "\${words[@]:1}" 2>/dev/null) || return
    # The last line is a colon and a sum of flags: 1 an error, 2 no space afterwards, 4 no files.
    directive=\${out##*:}
    out=\${out%:*}
    COMPREPLY=()
    if (( (directive & 1) != 0 )); then return; fi
    if (( (directive & 2) != 0 )); then compopt -o nospace; fi
    if (( (directive & 4) != 0 )); then compopt +o default; fi
    while IFS=$'\\t' read -r value _; do
        if [[ -n "$value" && "$value" == "$cur"* ]]; then COMPREPLY+=("$value"); fi
    done <<< "$out"
    # Bash replaces only what follows the last = or : of the word.
    if [[ "$cur" == *[=:]* ]]; then
        local before="\${cur%"\${cur##*[=:]}"}" index
        for index in "\${!COMPREPLY[@]}"; do COMPREPLY[index]=\${COMPREPLY[index]#"$before"}; done
    fi
}

complete -o default -F __elastic_complete elastic`;
