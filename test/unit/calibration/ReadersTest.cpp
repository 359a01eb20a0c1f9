// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: samples are read from our own files and from what OSU's, IMB's and SKaMPI's benchmarks
// print, in seconds for one message; a file that is damaged is refused with its line.
#include "measurements/Readers.h"
#include "support/Error.h"

#include <gtest/gtest.h>

using namespace gnomon::measurements;

namespace {

Measurements read(std::string_view text) {
  Collector collector;
  readText(text, "f", collector);
  return collector.finish({"f"});
}

const std::string Head = "# gnomon-calibration: 1\n# hosts: a b\n# timer-cost: 2e-08 4e-08\n"
                         "experiment,ranks,node,bytes,repetition,count,seconds,rank\n";

TEST(RawReader, TakesSamplesFactsAndMedians) {
  const Measurements measured = read(Head + "pingpong,2,inter,8,0,2,0.00002,0\n"
                                            "pingpong,2,inter,8,1,4,0.00008,0\n"
                                            "pingpong,2,inter,8,2,2,0.00006,0\n"
                                            "pingpong,2,intra,8,0,2,0.000001,0\n"
                                            "waltz,2,inter,8,0,2,0.00002,0\n# complete: all\n");
  ASSERT_EQ(measured.series.size(), 2U);
  const Point &point = measured.series[0].points[0];
  EXPECT_EQ(measured.series[0].name(), "pingpong, 2 ranks, inter");
  EXPECT_EQ(point.bytes, 8U);
  EXPECT_DOUBLE_EQ(point.median, 20e-6);
  EXPECT_DOUBLE_EQ(point.low, 10e-6);
  EXPECT_DOUBLE_EQ(point.high, 30e-6);
  EXPECT_EQ(measured.fact("hosts"), "a b");
  EXPECT_DOUBLE_EQ(measured.timerCostSeconds(), 3e-8);
  ASSERT_EQ(measured.notes.size(), 1U);
  EXPECT_EQ(measured.notes[0], "f: 1 samples of 'waltz' are passed over");
}

TEST(RawReader, OfRanksThatTimedOneRepetitionTheSlowestCounts) {
  const Measurements measured = read(Head + "exchange,4,inter,8,0,1,0.1,0\n"
                                            "exchange,4,inter,8,0,1,0.3,1\n"
                                            "exchange,4,inter,8,0,1,0.2,2\n# complete\n");
  EXPECT_EQ(measured.series[0].points[0].seconds, std::vector<double>{0.3});
}

TEST(RawReader, RepetitionsThatAResumedRunCountsAnewAreSamplesOfTheirOwn) {
  const Measurements measured = read(Head + "pingpong,2,inter,8,0,1,0.1,0\n"
                                            "pingpong,2,inter,8,0,1,0.3,0\n# complete\n");
  EXPECT_EQ(measured.series[0].points[0].seconds, (std::vector<double>{0.1, 0.3}));
}

TEST(RawReader, PassesOverALastLineThatWasCutOff) {
  const Measurements measured =
      read(Head + "pingpong,2,inter,8,0,1,0.1,0\npingpong,2,inter,8,1,1,0.00");
  EXPECT_EQ(measured.series[0].points[0].seconds.size(), 1U);
  ASSERT_EQ(measured.notes.size(), 2U) << "that, and that there is no '# complete'";
  EXPECT_NE(measured.notes[0].find("f:6: the last line was cut off"), std::string::npos);
}

TEST(OsuReader, TakesLatenciesAndRates) {
  const Measurements measured =
      read("mpirun: a warning\n# OSU MPI Latency Test v7.3\n# Datatype: MPI_CHAR.\n"
           "# Size       Avg Latency(us)\n1   1.50\n2   1.60\n\n"
           "# OSU MPI Bandwidth Test v7.3\n# Size      Bandwidth (MB/s)\n1000    500.0   Pass\n\n"
           "# OSU MPI Bi-Directional Bandwidth Test v7.3\n# Size Bandwidth (MB/s)\n1000  800\n\n"
           "# OSU MPI Init Test v5.6.3\nnprocs: 2, min: 13 ms\n");
  ASSERT_EQ(measured.series.size(), 3U);
  EXPECT_EQ(measured.series[0].key.experiment, Experiment::PingPong);
  EXPECT_DOUBLE_EQ(measured.series[0].points[1].median, 1.6e-6);
  EXPECT_EQ(measured.series[1].key.experiment, Experiment::Stream);
  EXPECT_DOUBLE_EQ(measured.series[1].points[0].median, 2e-6);
  EXPECT_EQ(measured.series[2].key.experiment, Experiment::BidirectionalStream);
  EXPECT_DOUBLE_EQ(measured.series[2].points[0].median, 2.5e-6) << "400 MB/s each way";
  EXPECT_EQ(measured.notes.size(), 1U) << "the table of another test";
}

TEST(ImbReader, TakesPingPongsAndTheSlowestOfSendrecv) {
  const Measurements measured =
      read("# Benchmarking PingPong \n# #processes = 2 \n"
           "       #bytes #repetitions      t[usec]   Mbytes/sec\n"
           "            0         1000         4.00         0.00\n"
           "         1024         1000         6.00       170.67\n\n"
           "# Benchmarking Sendrecv \n# #processes = 16 \n"
           "       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]   Mbytes/sec\n"
           "         1024         1000         8.00        9.00         8.50       433.00\n\n"
           "# Benchmarking Barrier\n# #processes = 2\n #repetitions t_min[usec]\n  10 1 2 3\n");
  ASSERT_EQ(measured.series.size(), 2U);
  EXPECT_DOUBLE_EQ(measured.series[0].points[1].median, 6e-6);
  EXPECT_EQ(measured.series[1].name(), "exchange, 16 ranks, inter");
  EXPECT_DOUBLE_EQ(measured.series[1].points[0].median, 9e-6);
}

TEST(SkampiReader, TakesHalfOfRoundTrips) {
  const Measurements measured =
      read("# SKaMPI Version 5.0 rev. 191\n# begin result \"Pingpong_Send_Recv\"\n"
           "count= 1        4   20.0     0.4       16   13.5   13.2\n"
           "count=2         8   22.0     0.4       16   13.5   13.2\n"
           "# end result \"Pingpong_Send_Recv\"\n# duration = 0.01 sec\n"
           "begin result \"MPI_Bcast-nodes-length\"\n"
           "nodes= 2 count= 1    1   6.6   0.1   54   3.1   6.6\n"
           "end result \"MPI_Bcast-nodes-length\"\n");
  ASSERT_EQ(measured.series.size(), 1U);
  ASSERT_EQ(measured.series[0].points.size(), 2U);
  EXPECT_EQ(measured.series[0].points[0].bytes, 4U);
  EXPECT_DOUBLE_EQ(measured.series[0].points[0].median, 10e-6);
}

TEST(PairsReader, TakesBytesAndSeconds) {
  const Measurements measured = read("# mine\n1 0.00002\n1000 2.5e-5\n");
  ASSERT_EQ(measured.series.size(), 1U);
  EXPECT_DOUBLE_EQ(measured.series[0].points[1].median, 2.5e-5);
}

struct Bad {
  std::string text;
  std::string error; ///< a part of it, with the line
};

class BadFiles : public testing::TestWithParam<Bad> {};

TEST_P(BadFiles, AreRefusedWithTheirLine) {
  try {
    read(GetParam().text);
    FAIL() << "was read: " << GetParam().text;
  } catch (const gnomon::InputError &error) {
    EXPECT_EQ(std::string(error.what()).find(GetParam().error), 0U) << error.what();
  }
}

const std::string Osu = "# OSU MPI Latency Test v5\n# Size Latency (us)\n",
                  Imb = "# Benchmarking PingPong\n# #processes = 2\n",
                  Skampi = "begin result \"Pingpong_Send_Recv\"\n";

INSTANTIATE_TEST_SUITE_P(
    Raw, BadFiles,
    testing::Values(
        Bad{"", "f: not what 'gnomon calibrate measure' writes"},
        Bad{"one\ntwo\n", "f: not what 'gnomon calibrate measure' writes"},
        Bad{Head, "f: there is no sample of a known experiment"},
        Bad{"# gnomon-calibration: 2\n", "f:1: the format is version '2'"},
        Bad{"# gnomon-calibration: 1\npingpong,2,inter,8,0,1,0.1,0\n", "f:2: a sample before"},
        Bad{"experiment,ranks\n", "f:1: expected the columns"},
        Bad{"experiment,ranks,node,bytes,repetition,count,seconds,rank\n"
            "pingpong,2,inter,8,0,1,0.1,0\n",
            "f:1: the line '# gnomon-calibration: 1' is missing"},
        Bad{Head + "pingpong,2,inter,8,0,1,0.1\n", "f:5: a sample has 8 fields, and this line 7"},
        Bad{Head + "pingpong,0,inter,8,0,1,0.1,0\n", "f:5: ranks: expected a whole number from 1"},
        Bad{Head + "pingpong,2,outer,8,0,1,0.1,0\n", "f:5: node: expected inter or intra"},
        Bad{Head + "pingpong,2,inter,-8,0,1,0.1,0\n", "f:5: bytes: expected a whole number"},
        Bad{Head + "pingpong,2,inter,8,x,1,0.1,0\n", "f:5: repetition"},
        Bad{Head + "pingpong,2,inter,8,0,0,0.1,0\n", "f:5: count: expected a whole number from 1"},
        Bad{Head + "pingpong,2,inter,8,0,1,nan,0\n", "f:5: seconds: expected a number from 0"},
        Bad{Head + "pingpong,2,inter,8,0,1,-0.1,0\n", "f:5: seconds"},
        Bad{Head + "pingpong,2,inter,8,0,1,1e9,0\n", "f:5: seconds"},
        Bad{Head + "pingpong,2,inter,8,0,1,0.1,?\n", "f:5: rank"}));

INSTANTIATE_TEST_SUITE_P(
    Tables, BadFiles,
    testing::Values(
        Bad{Osu, "f: there is no sample"}, Bad{Osu + "1 1.5\n2 x\n", "f:4: latency (us)"},
        Bad{Osu + "1 1.5\ngarbage\n", "f:4: expected a row of the table, found 'garbage'"},
        Bad{Osu + "1\n", "f:3: a row has 2 columns or more"},
        Bad{Osu + "1 1.5 Fail\n", "f:3: the benchmark says that the data"},
        Bad{"# OSU MPI Bandwidth Test v5\n8 0\n", "f:2: a bandwidth of 0"},
        Bad{Imb + "8 1000 4.0 0\n", "f:3: a row without a head"},
        Bad{Imb + "#bytes #repetitions t[usec]\n8 1000\n", "f:4: a row has 3 columns"},
        Bad{Imb + "#bytes #repetitions t[usec]\n8 0 4.0\n", "f:4: repetitions"},
        Bad{"# Benchmarking PingPong\n# #processes = two\n", "f:2: #processes"},
        Bad{Skampi + "count= 1 4 20.0 0.4 16\n", "f:2: the file ends inside the result"},
        Bad{Skampi + "count= 1 4\nend result \"Pingpong_Send_Recv\"\n", "f:2: expected parameters"},
        Bad{Skampi + "count= 1 four 20.0\nend result \"x\"\n", "f:2: bytes"},
        Bad{"1 0.1\n2 0.1 0.1\n", "f:2: expected BYTES SECONDS"},
        Bad{"1 0.1\n2 inf\n", "f:2: seconds"}));

} // namespace
