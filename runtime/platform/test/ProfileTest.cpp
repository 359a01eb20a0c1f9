// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: profiles of links and hosts are read as SimGrid writes them, inline and from files, and
// belong to the link or host that they name.
#include "Routes.h"

#include "support/Error.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace gnomon;
using namespace gnomon::platform;
using ::testing::HasSubstr;

namespace {

std::string twoHosts(const std::string &hostAttributes, const std::string &linkAttributes,
                     const std::string &more) {
  return "<zone id='z' routing='Full'>\n<host id='a' speed='1Gf' " + hostAttributes +
         "/><host id='b' speed='1Gf'/>\n<link id='l' bandwidth='1GBps' latency='1us' " +
         linkAttributes +
         "/>\n<link id='s' bandwidth='1GBps' sharing_policy='SPLITDUPLEX'/>\n"
         "<route src='a' dst='b'><link_ctn id='l'/></route>\n" +
         more + "</zone>";
}

std::string errorOf(const std::string &content) {
  try {
    inPlatform(content);
  } catch (const InputError &error) {
    return error.what();
  }
  return "accepted";
}

std::string stepsOf(const Profile &profile) {
  std::string text;
  for (const Profile::Step &step : profile.steps)
    text += std::to_string(step.dateSeconds) + ":" + std::to_string(step.value) + " ";
  return text;
}

std::string errorOfText(const std::string &text) {
  try {
    parseProfile(text, "p", 1, 0);
  } catch (const InputError &error) {
    return error.what();
  }
  return "accepted";
}

} // namespace

TEST(Profile, StepsCommentsAndLaps) {
  Profile once = parseProfile("# date value\n\n% too\n0 1.5\n 2.5\t3e2 \r\n", "p", 10, 0);
  EXPECT_EQ(stepsOf(once), "0.000000:1.500000 2.500000:300.000000 ");
  EXPECT_EQ(once.steps[1].line, 14);
  EXPECT_EQ(once.periodSeconds, 0);
  EXPECT_EQ(parseProfile("PERIODICITY 4\n0 1\n3 2", "p", 1, 0).periodSeconds, 4);
  EXPECT_EQ(parseProfile("LOOPAFTER 4\n0 1\n3 2", "p", 1, 0).periodSeconds, 7)
      << "a pause after the last step";
  EXPECT_EQ(parseProfile("0 1\n3 2", "p", 1, 5).periodSeconds, 5);
  EXPECT_EQ(parseProfile("PERIODICITY 4\n0 1", "p", 1, 5).periodSeconds, 4);
}

TEST(Profile, WhatIsWrongIsNamed) {
  EXPECT_THAT(errorOfText("0 1\n-1 2"), HasSubstr("p:2: profile: negative number: '-1'"));
  EXPECT_THAT(errorOfText("2 1\n1 2"), HasSubstr("p:2: profile: dates must not decrease"));
  EXPECT_THAT(errorOfText("0"), HasSubstr("p:1: profile: expected a date and a value, found '0'"));
  EXPECT_THAT(errorOfText("0 nan"), HasSubstr("not a number: 'nan'"));
  EXPECT_THAT(errorOfText("STOCHASTIC\nDET 0 UNIF 1 2"), HasSubstr("random profiles"));
  EXPECT_THAT(errorOfText("PERIODICITY 1\n0 1\n2 1"), HasSubstr("shorter than its last date"));
  EXPECT_THAT(errorOfText("LOOPAFTER 0\n0 1"), HasSubstr("without end at one date"));
}

TEST(Profile, TracesOfEveryKind) {
  std::string more = "<trace id='t' periodicity='10'>\n0 1\n4 2</trace>";
  for (const char *use : {"BANDWIDTH' element='l", "LATENCY' element='s", "LINK_AVAIL' element='l",
                          "SPEED' element='a", "HOST_AVAIL' element='b"})
    more += std::string("<trace_connect trace='t' kind='") + use + "'/>";
  Platform platform = inPlatform(twoHosts("", "", more));
  ASSERT_EQ(platform.profiles().size(), 1u);
  EXPECT_EQ(stepsOf(platform.profiles()[0]), "0.000000:1.000000 4.000000:2.000000 ");
  EXPECT_EQ(platform.profiles()[0].steps[1].line, 9);
  EXPECT_EQ(platform.profiles()[0].periodSeconds, 10);
  std::string uses;
  for (const ProfileUse &use : platform.profileUses())
    uses += std::to_string(static_cast<int>(use.kind)) + ":" + std::to_string(use.target) + " ";
  EXPECT_EQ(uses, "0:0 1:1 1:2 2:0 3:0 4:1 ") << "both directions of the split link";
}

TEST(Profile, FilesBesideThePlatform) {
  const std::string folder = testing::TempDir() + "/gnomon-profiles";
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/steps") << "1 0.5\n";
  std::ofstream(folder + "/p.xml")
      << "<platform version='4.1'>"
      << twoHosts("speed_file='steps' state_file='steps'",
                  "bandwidth_file='steps' latency_file='steps' state_file='steps'",
                  "<trace id='t' periodicity='1' file='steps'/>")
      << "</platform>";
  Platform platform = load(folder + "/p.xml");
  EXPECT_EQ(platform.profileUses().size(), 5u);
  ASSERT_EQ(platform.profiles().size(), 6u);
  for (const Profile &profile : platform.profiles()) {
    EXPECT_EQ(stepsOf(profile), "1.000000:0.500000 ");
    EXPECT_EQ(profile.file, folder + "/steps");
    EXPECT_EQ(profile.periodSeconds, 0) << "the attribute counts for steps inside the element";
  }
}

TEST(Profile, PartsOfAClusterThatIsTheWholePlatform) {
  Platform platform =
      inPlatform("<trace id='t' periodicity='0'>1 2</trace>"
                 "<cluster id='c' prefix='n' suffix='' radical='0-3' speed='1Gf' bw='1GBps' "
                 "lat='5us'/><trace_connect trace='t' kind='BANDWIDTH' element='c_link_2_UP'/>");
  ASSERT_EQ(platform.profileUses().size(), 1u);
  EXPECT_EQ(platform.links()[platform.profileUses()[0].target].name, "c_link_2_UP");
}

TEST(Profile, BadConnections) {
  auto with = [](const std::string &steps, const std::string &use) {
    return errorOf(twoHosts("", "",
                            "<trace id='t' periodicity='1'>" + steps +
                                "</trace>\n<trace_connect trace='t' " + use + "/>"));
  };
  EXPECT_THAT(with("0 0", "kind='BANDWIDTH' element='l'"),
              HasSubstr("test.xml:7: profile: a bandwidth must be above zero"));
  EXPECT_THAT(with("0 0", "kind='SPEED' element='a'"), HasSubstr("nothing would end"));
  EXPECT_THAT(with("0 1", "kind='LATENCY' element='x'"), HasSubstr("test.xml:8: unknown link 'x'"));
  EXPECT_THAT(with("0 1", "kind='SPEED' element='z'"), HasSubstr("unknown host"));
  EXPECT_THAT(with("0 1", "kind='POWER' element='a'"), HasSubstr("kind: unknown 'POWER'"));
  EXPECT_THAT(with("", "kind='SPEED' element='a'"),
              HasSubstr("'trace' needs the attribute 'file', or steps inside it"));
  EXPECT_THAT(with("0 1", "kind='SPEED' element='a'/><trace_connect trace='t' kind='SPEED' "
                          "element='a'"),
              HasSubstr("a second profile of the same kind for 'a'"));
  EXPECT_THAT(errorOf(twoHosts("", "", "<trace_connect trace='u' element='a'/>")),
              HasSubstr("unknown trace 'u'"));
  EXPECT_THAT(errorOf(twoHosts("speed_file='nowhere'", "", "")),
              HasSubstr("test.xml:3: speed_file: nowhere: cannot be read"));
}
