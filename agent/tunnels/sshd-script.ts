/**
 * Starts the image's sshd inside the sandbox, as the shell's user, for one connection. All that it is given is on the
 * script's standard input, where the host's processes cannot read it: the host key, its certificate and the client's key,
 * each on a line, and the port. It ends, and its files go, with that input.
 *
 * With systemd's own list of shadow passwords sshd would take the account for locked. As no root it cannot give a terminal to another group than the container's terminals have.
 *
 * A connection that ends takes its programs with it, as a terminal that is switched off: SIGHUP, and five seconds later SIGKILL.
 * A session is what the agent's own are: the container's environment, `/bin/sh -c` for a command, and bash for a login where
 * it is there. It may reach ports of the container, and nothing of the client's machine is reached from it.
 */

/** What it exits with where the image has no sshd, or no user that may log in. */
export const NO_SSHD = 127;
/** Who has the number that all in a container runs as; clients log in by this name. */
const USER = "nobody";

export const SSHD_SCRIPT = `
mask=$(umask)
umask 077
IFS= read -r key && IFS= read -r certificate && IFS= read -r client && IFS= read -r port || exit 1
for sshd in /usr/sbin/sshd /usr/local/sbin/sshd /usr/bin/sshd ''; do [ -x "$sshd" ] && break; done
own=$(id -u)
while IFS=: read -r name _ uid _ _ home shell; do [ "$uid" = "$own" ] && break; name=; done < /etc/passwd
case "$sshd:$name:$home:$shell" in
  :*|*/nologin|*/false) exit ${NO_SSHD} ;;
  "$sshd:${USER}:$HOME:/"*) [ -x "$shell" ] || exit ${NO_SSHD} ;;
  *) exit ${NO_SSHD} ;;
esac
[ ! -r /etc/nsswitch.conf ] || while read -r base sources; do
  case "$base$sources" in shadow:*systemd*) exit ${NO_SSHD} ;; esac
done < /etc/nsswitch.conf
while IFS=: read -r group _ gid _; do [ "$group" = tty ] && break; gid=; done < /etc/group
while read -r _ place _ options _; do [ "$place" = /dev/pts ] && break; options=; done < /proc/mounts
case ",$options,$gid" in *",gid=$gid,"* | *,) ;; *) exit ${NO_SSHD} ;; esac
dir=$(mktemp -d /run/ssh.XXXXXXXXXX) || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM
printf '%s\\n' '-----BEGIN OPENSSH PRIVATE KEY-----' "$key" '-----END OPENSSH PRIVATE KEY-----' > "$dir/key"
printf '%s\\n' "$certificate" > "$dir/certificate"
printf '%s\\n' "$client" > "$dir/client"
export -p > "$dir/environment"
started() { read -r stat < "$1" && set -- \${stat##*) } && shift 19 && echo "$1"; } 2>/dev/null
cat > "$dir/session" <<EOF
read -r _ _ _ _ group _ < /proc/\\$$/stat
read -r stat < /proc/\\$group/stat && echo "\\$stat" > "$dir/group.\\$group"
language=\\\${LANG-} command=\\\${SSH_ORIGINAL_COMMAND-}
. "$dir/environment"
unset SSH_ORIGINAL_COMMAND
[ -z "\\$language" ] || export LANG="\\$language"
cd "\\$HOME" 2>/dev/null
[ -z "\\$command" ] || exec /bin/sh -c "\\$command"
[ ! -x /bin/bash ] || exec /bin/bash -l
exec /bin/sh -l
EOF
cat > "$dir/sftp" <<'EOF'
for server in /usr/lib/openssh/sftp-server /usr/libexec/openssh/sftp-server /usr/lib/ssh/sftp-server sftp-server; do
  command -v "$server" >/dev/null 2>&1 && exec "$server"
done
echo "this shell's image has no sftp-server: install it there (openssh-sftp-server), or copy with ssh and tar" >&2
exit 127
EOF
cat > "$dir/config" <<EOF
ListenAddress 127.0.0.1
Port $port
PidFile none
HostKey $dir/key
HostCertificate $dir/certificate
AuthorizedKeysFile $dir/client
AuthenticationMethods publickey
PasswordAuthentication no
KbdInteractiveAuthentication no
StrictModes no
UseDNS no
PrintMotd no
PrintLastLog no
PermitUserRC no
X11Forwarding no
AllowAgentForwarding no
AllowStreamLocalForwarding no
AllowTcpForwarding local
PermitOpen localhost:* 127.0.0.1:* [::1]:*
PermitTunnel no
AcceptEnv LANG LANGUAGE LC_* TZ COLORTERM
Ciphers aes128-gcm@openssh.com,aes256-gcm@openssh.com,aes256-ctr,aes128-ctr
MaxSessions 16
LoginGraceTime 30
ForceCommand /bin/sh $dir/session
Subsystem sftp /bin/sh $dir/sftp
EOF
umask "$mask"
exec 3<&0
"$sshd" -D -e -f "$dir/config" < /dev/null 3<&- &
server=$!
{ cat <&3 > /dev/null; kill "$server"; } > /dev/null 2>&1 &
exec 3<&-
wait "$server"
for signal in HUP KILL; do
  left=
  for file in "$dir"/group.*; do
    group=\${file##*.}
    [ -f "$file" ] && [ "$(started "/proc/$group/stat")" = "$(started "$file")" ] || continue
    kill -s "$signal" -- "-$group" && left=1
  done
  [ -n "$left" ] || break
  [ "$signal" = KILL ] || sleep 5
done 2>/dev/null
`;

/** What sshd writes once it takes connections. */
export const LISTENING = "Server listening on";
