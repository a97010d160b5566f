# OpenSSH's client, with which tests log into shells, and the server of sftp that the image of their shells has.

ssh_tools() {
  need ssh openssh-client
  need /usr/lib/openssh/sftp-server openssh-sftp-server
}

ssh_build() { :; }
