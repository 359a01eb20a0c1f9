/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * For LD_PRELOAD: MPI ranks that wait do not spin, so that many hosts can be played on few cores.
 * A library that waits asks its sockets without end, poll(…, 0) or epoll_wait(…, 0), and yields
 * the processor. With one core a rank that is true to a real machine; with fewer, ranks that have
 * something to do wait for those that have not. GNOMON_IDLE says what happens instead:
 *
 *   poll[:MICROSECONDS]   after 16 answers in a row that nothing is there, a question waits for an
 *                         event, at most so long (default 200). What comes by a socket wakes the
 *                         rank at once; what comes by shared memory waits until the time is over.
 *   sleep[:MICROSECONDS]  a rank that yields sleeps so long (default 150), and so does a library
 *                         that never yields (MPICH) after 16 such answers.
 *
 *   spin                  as the library waits.
 *
 * GNOMON_CONGESTION names what TCP's congestion control is to be (cubic, reno, bbr): kernels need
 * not let a namespace choose. Sockets that are accepted have their listener's.
 *
 * Ranks get short slices and precedence over other processes where the system permits it: a rank
 * whose message has come runs at once. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { ManyAnswers = 16, SliceNanoseconds = 100000, TimerSlackNanoseconds = 1000 };

static int sleeps, spins;       /* modes; else poll */
static const char *congestion;  /* control of TCP; NULL: the kernel's */
static struct timespec longest; /* of one wait */
static __thread int empty;      /* answers in a row that nothing is there */

/* The kernel's struct sched_attr, which glibc 2.36 does not declare. */
struct scheduling {
  uint32_t size, policy;
  uint64_t flags;
  int32_t nice;
  uint32_t priority;
  uint64_t runtime, deadline, period;
};

__attribute__((constructor)) static void begin(void) {
  const char *mode = getenv("GNOMON_IDLE"), *number = mode ? strchr(mode, ':') : NULL;
  sleeps = mode && strncmp(mode, "sleep", 5) == 0;
  spins = mode && strcmp(mode, "spin") == 0;
  congestion = getenv("GNOMON_CONGESTION");
  const long given = number ? atol(number + 1) : 0;
  longest.tv_nsec = 1000 * (given > 0 && given < 1000000 ? given : sleeps ? 150 : 200);
  struct scheduling wanted = {.size = sizeof wanted, .nice = -10, .runtime = SliceNanoseconds};
  syscall(SYS_sched_setattr, 0, &wanted, 0); /* refused without the right: slower, not wrong */
  prctl(PR_SET_TIMERSLACK, (unsigned long)TimerSlackNanoseconds);
}

static int sleepOnce(void) { return clock_nanosleep(CLOCK_MONOTONIC, 0, &longest, NULL); }

int sched_yield(void) { return sleeps ? sleepOnce() : (int)syscall(SYS_sched_yield); }

/* Whether the caller, who was told that nothing is there, should wait now. */
static int waitsAfter(int answer, int timeout) {
  if (timeout != 0 || spins)
    return 0;
  empty = answer == 0 ? empty + 1 : 0;
  return empty > ManyAnswers;
}

int poll(struct pollfd *descriptors, nfds_t count, int timeout) {
  static int (*real)(struct pollfd *, nfds_t, int);
  if (!real)
    real = dlsym(RTLD_NEXT, "poll");
  const int answer = real(descriptors, count, timeout);
  if (!waitsAfter(answer, timeout))
    return answer;
  if (sleeps) /* Open MPI, which polls, also yields */
    return answer;
  const int events = ppoll(descriptors, count, &longest, NULL);
  empty = events == 0 ? empty : 0;
  return events;
}

int epoll_wait(int set, struct epoll_event *events, int most, int timeout) {
  static int (*real)(int, struct epoll_event *, int, int);
  if (!real)
    real = dlsym(RTLD_NEXT, "epoll_wait");
  const int answer = real(set, events, most, timeout);
  if (!waitsAfter(answer, timeout))
    return answer;
  if (sleeps) {
    sleepOnce();
    return real(set, events, most, 0);
  }
  const int found = epoll_pwait2(set, events, most, &longest, NULL);
  empty = found == 0 ? empty : 0;
  return found;
}

int socket(int domain, int type, int protocol) {
  static int (*real)(int, int, int);
  if (!real)
    real = dlsym(RTLD_NEXT, "socket");
  const int made = real(domain, type, protocol);
  const int kind = type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (made < 0 || !congestion || kind != SOCK_STREAM || (domain != AF_INET && domain != AF_INET6))
    return made;
  if (setsockopt(made, IPPROTO_TCP, TCP_CONGESTION, congestion, (socklen_t)strlen(congestion)) !=
      0) {
    fprintf(stderr, "idle.c: this kernel gives no congestion control '%s'\n", congestion);
    _exit(1); /* figures of another one would be taken for this one's */
  }
  return made;
}
