/* Makes each system call that a container may not make, and some that it may, and prints its name with the error's. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define IO_URING_SETUP 425
#define IO_URING_ENTER 426
#define IO_URING_REGISTER 427

static void report(const char *name, long result) {
  int error = errno;
  printf("%s %s\n", name, result < 0 ? strerrorname_np(error) : "allowed");
  fflush(stdout);
}

/* A child that a call has made ends at once. */
static void report_fork(const char *name, long result) {
  if (result == 0) _exit(0);
  report(name, result);
  if (result > 0) waitpid((pid_t)result, NULL, 0);
}

static void try_sockets(void) {
  static const struct {
    const char *name;
    int family;
    int type;
  } families[] = {
      {"socket(AF_UNIX)", AF_UNIX, SOCK_STREAM},
      {"socket(AF_INET)", AF_INET, SOCK_STREAM},
      {"socket(AF_INET6)", AF_INET6, SOCK_STREAM},
      {"socket(AF_NETLINK)", AF_NETLINK, SOCK_RAW},
      {"socket(AF_PACKET)", AF_PACKET, SOCK_RAW},
      {"socket(AF_RDS)", AF_RDS, SOCK_SEQPACKET},
      {"socket(AF_CAN)", AF_CAN, SOCK_RAW},
      {"socket(AF_TIPC)", AF_TIPC, SOCK_STREAM},
      {"socket(AF_BLUETOOTH)", AF_BLUETOOTH, SOCK_STREAM},
      {"socket(AF_ALG)", AF_ALG, SOCK_SEQPACKET},
      {"socket(AF_VSOCK)", AF_VSOCK, SOCK_STREAM},
      {"socket(AF_KCM)", AF_KCM, SOCK_DGRAM},
      {"socket(AF_QIPCRTR)", AF_QIPCRTR, SOCK_DGRAM},
      {"socket(AF_SMC)", AF_SMC, SOCK_STREAM},
      {"socket(AF_XDP)", AF_XDP, SOCK_RAW},
  };
  for (size_t at = 0; at < sizeof families / sizeof *families; at++)
    report(families[at].name, socket(families[at].family, families[at].type, 0));
  /* The kernel reads 32 bits of the family, the filter all 64. */
  report("socket(AF_VSOCK,high-bits)", syscall(SYS_socket, (1L << 32) | AF_VSOCK, SOCK_STREAM, 0));
  report("socket(AF_INET,SOCK_RAW)", socket(AF_INET, SOCK_RAW, 1));
  int pair[2];
  report("socketpair(AF_UNIX)", socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
  report("socketpair(AF_TIPC)", socketpair(AF_TIPC, SOCK_STREAM, 0, pair));
}

static void try_namespaces(void) {
  report_fork("clone(CLONE_NEWUSER)", syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0));
  report_fork("clone(CLONE_NEWNET)", syscall(SYS_clone, CLONE_NEWNET | SIGCHLD, 0, 0, 0, 0));
  struct clone_args args = {.flags = CLONE_NEWUSER, .exit_signal = SIGCHLD};
  report_fork("clone3(CLONE_NEWUSER)", syscall(SYS_clone3, &args, sizeof args));
  report_fork("fork", syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
  report("unshare(CLONE_NEWUSER)", syscall(SYS_unshare, CLONE_NEWUSER));
  report("unshare(CLONE_NEWNS)", syscall(SYS_unshare, CLONE_NEWNS));
  report("setns", syscall(SYS_setns, open("/proc/self/ns/user", O_RDONLY), 0));
  report("mount", syscall(SYS_mount, "none", "/tmp", "tmpfs", 0, 0));
  report("fsopen", syscall(SYS_fsopen, "tmpfs", 0));
}

#ifdef __x86_64__
/* A system call by the numbers of 32-bit programs, in a child that the kernel may kill: socketcall opens any family. */
static void try_32_bits(void) {
  pid_t child = fork();
  if (child == 0) {
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(20) : "memory", "r8", "r9", "r10", "r11");
    _exit(result > 0 ? 0 : result == -ENOSYS ? ENOSYS : EPERM);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) {
    printf("int80 %s\n", WTERMSIG(status) == SIGSYS ? "SIGSYS" : "signal");
    return;
  }
  errno = WEXITSTATUS(status);
  report("int80", errno == 0 ? 0 : -1);
}
#else
static void try_32_bits(void) { printf("int80 SIGSYS\n"); }
#endif

int main(void) {
  try_sockets();
  try_namespaces();
  report("io_uring_setup", syscall(IO_URING_SETUP, 1, 0));
  report("io_uring_enter", syscall(IO_URING_ENTER, -1, 0, 0, 0, 0, 0));
  report("io_uring_register", syscall(IO_URING_REGISTER, -1, 0, 0, 0));
  report("keyctl", syscall(SYS_keyctl, 0, -3, 0));
  report("add_key", syscall(SYS_add_key, "user", "a", "b", 1, -3));
  report("request_key", syscall(SYS_request_key, "user", "a", 0, 0));
  report("userfaultfd", syscall(SYS_userfaultfd, 0));
  report("perf_event_open", syscall(SYS_perf_event_open, 0, 0, -1, -1, 0));
  report("bpf", syscall(SYS_bpf, 0, 0, 0));
  report("init_module", syscall(SYS_init_module, 0, 0, ""));
  report("kexec_load", syscall(SYS_kexec_load, 0, 0, 0, 0));
  report("open_by_handle_at", syscall(SYS_open_by_handle_at, -1, 0, 0));
  fflush(stdout);
  try_32_bits();
  report("ptrace", syscall(SYS_ptrace, 0, 0, 0, 0));
  report("getpid", syscall(SYS_getpid));
  return 0;
}
