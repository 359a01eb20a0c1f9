/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cable MICROSECONDS PORTS: cables of some length between hosts and their switch, for kernels that
 * have no netem. For each port i from 1 it joins the interface cableI, whose other end is a host's,
 * with a new interface portI, which is to be put into the bridge. What comes from a host is passed
 * on after so many microseconds, what goes to a host at once: a message pays the delay once.
 *
 * It says "ready" when the interfaces are there, and passes frames on until it is ended. Packets
 * keep their offload headers, so that nobody has to compute a checksum. With real-time priority,
 * where that is permitted, a frame is some ten microseconds late. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_packet.h>
#include <linux/if_tun.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MostPorts = 250, MostFrame = 66000, MostFrames = 1 << 17, Burst = 64 };

/* A frame on its way from a host, first come, first out: all take the same time. */
struct frame {
  long long due; /* nanoseconds */
  int port, length;
  char *bytes;
};
static struct frame frames[MostFrames];
static unsigned long first, next; /* numbers of frames; their places are these modulo MostFrames */
static struct pollfd ends[2 * MostPorts]; /* of port i: its tap, then its host's end */

static void fail(const char *what) {
  fprintf(stderr, "cable: %s: %s\n", what, strerror(errno));
  exit(1);
}

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static int openTap(int port) {
  struct ifreq wanted = {.ifr_flags = IFF_TAP | IFF_NO_PI | IFF_VNET_HDR};
  snprintf(wanted.ifr_name, sizeof wanted.ifr_name, "port%d", port);
  const int tap = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (tap < 0 || ioctl(tap, TUNSETIFF, &wanted) != 0 ||
      ioctl(tap, TUNSETOFFLOAD, TUN_F_CSUM | TUN_F_TSO4 | TUN_F_TSO6 | TUN_F_TSO_ECN) != 0)
    fail(wanted.ifr_name);
  return tap;
}

static int openHostEnd(int port) {
  char name[IF_NAMESIZE];
  snprintf(name, sizeof name, "cable%d", port);
  const int one = 1, size = 8 << 20,
            end = socket(AF_PACKET, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, htons(ETH_P_ALL));
  struct sockaddr_ll address = {.sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL)};
  address.sll_ifindex = (int)if_nametoindex(name);
  if (end < 0 || address.sll_ifindex == 0 ||
      setsockopt(end, SOL_PACKET, PACKET_VNET_HDR, &one, sizeof one) != 0 ||
      setsockopt(end, SOL_PACKET, PACKET_IGNORE_OUTGOING, &one, sizeof one) != 0 ||
      setsockopt(end, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof size) != 0 ||
      bind(end, (struct sockaddr *)&address, sizeof address) != 0)
    fail(name);
  return end;
}

static void delayed(int port, const char *bytes, int length, long long delay) {
  if (next - first == MostFrames) /* dropped, as by a full queue */
    return;
  struct frame *frame = &frames[next % MostFrames];
  *frame = (struct frame){now() + delay, port, length, malloc((size_t)length)};
  if (!frame->bytes)
    return;
  memcpy(frame->bytes, bytes, (size_t)length);
  ++next;
}

/* Passes on what is due; returns how long the next one has to wait, negative: there is none. */
static long long passDue(void) {
  for (; first != next; ++first) {
    struct frame *frame = &frames[first % MostFrames];
    const long long wait = frame->due - now();
    if (wait > 0)
      return wait;
    const ssize_t passed = write(ends[2 * frame->port].fd, frame->bytes, (size_t)frame->length);
    (void)passed; /* a frame that is not taken is lost, as on a wire */
    free(frame->bytes);
  }
  return -1;
}

static void receive(int end, long long delay) {
  static char bytes[MostFrame];
  for (int i = 0; i < Burst; ++i) {
    const ssize_t length = read(ends[end].fd, bytes, sizeof bytes);
    if (length <= 0)
      return;
    const ssize_t passed = end % 2 ? 0 : write(ends[end + 1].fd, bytes, (size_t)length);
    (void)passed;
    if (end % 2)
      delayed(end / 2, bytes, (int)length, delay);
  }
}

int main(int argc, char **argv) {
  const long long delay = argc == 3 ? atoll(argv[1]) * 1000 : -1;
  const int ports = argc == 3 ? atoi(argv[2]) : 0;
  if (delay < 0 || ports < 1 || ports > MostPorts) {
    fprintf(stderr, "cable MICROSECONDS PORTS\n");
    return 2;
  }
  for (int i = 0; i < ports; ++i) {
    ends[2 * i] = (struct pollfd){.fd = openTap(i + 1), .events = POLLIN};
    ends[2 * i + 1] = (struct pollfd){.fd = openHostEnd(i + 1), .events = POLLIN};
  }
  const struct sched_param realTime = {.sched_priority = 1};
  sched_setscheduler(0, SCHED_FIFO, &realTime); /* refused without the right: later, not wrong */
  prctl(PR_SET_TIMERSLACK, 1UL);
  if (puts("ready") < 0 || fflush(stdout) != 0)
    return 1;
  for (;;) {
    const long long wait = passDue();
    const struct timespec time = {wait / 1000000000, wait % 1000000000};
    if (ppoll(ends, (nfds_t)(2 * ports), wait < 0 ? NULL : &time, NULL) < 0 && errno != EINTR)
      fail("ppoll");
    for (int i = 0; i < 2 * ports; ++i)
      if (ends[i].revents & POLLIN)
        receive(i, delay);
  }
}
