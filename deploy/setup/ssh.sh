# OpenSSH's client, with which tests log into shells, and the servers of SSH and sftp that the image of their shells has.

ssh_tools() {
  need ssh openssh-client
  need /usr/sbin/sshd openssh-server
  need /usr/lib/openssh/sftp-server openssh-sftp-server
}

ssh_build() { :; }
