// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: constructors of globals run once per rank before its main, in order of priority and of
// the source; destructors run at the rank's end in reverse order. The last destructor reports.
#include "rank.h"

#include <cstdlib>
#include <cstring>

static char log_[64]; // zero before any constructor
static int length;
static void note(char c) { log_[length++] = c; }

struct Noted {
  char name;
  explicit Noted(char n) : name(n) { note(n); }
  ~Noted() { note(char(name - 'a' + 'A')); }
};

struct Judge {
  int rank = -1;
  ~Judge() {
    // main returned: x, b, a, … destroyed before the judge, which was made first.
    if (std::strcmp(log_, "jpqabcmCBAQP") == 0 && rank >= 0)
      return;
    fprintf(stderr, "rank %d: order was '%s'\n", rank, log_);
    std::_Exit(1);
  }
};

__attribute__((init_priority(101))) static Judge judge;
__attribute__((constructor(102))) static void early() { note('j'); }
__attribute__((init_priority(200))) static Noted q1('p');
__attribute__((init_priority(300))) static Noted q2('q');
static Noted a('a'), b('b');
static Noted c('c');

int main() {
  CHECKED;
  rank_switch();
  CHECK(std::strcmp(log_, "jpqabc") == 0);
  note('m');
  judge.rank = rank_number();
  rank_switch();
  return CHECK_RESULT;
}
