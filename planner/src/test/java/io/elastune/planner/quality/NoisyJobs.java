package io.elastune.planner.quality;

import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.stream.LongStream;

/**
 * What became of many jobs that vary.
 *
 * @param asked how many were asked for; some have no plan
 * @param planned those with a plan
 * @param overlooked those for which enumeration finds a plan and the planner none
 */
record NoisyJobs(int asked, List<NoisyJob> planned, List<NoisyJob> overlooked) {
  /** None asked for yet. */
  static final NoisyJobs NONE = new NoisyJobs(0, List.of(), List.of());

  /** Asks for the plan of every seed below {@code count}. */
  static NoisyJobs of(int count, LongFunction<Optional<NoisyJob>> ask) {
    List<NoisyJob> all =
        LongStream.range(0, count).parallel().mapToObj(ask).flatMap(Optional::stream).toList();
    return new NoisyJobs(
        count,
        all.stream().filter(job -> !job.isOverlooked()).toList(),
        all.stream().filter(NoisyJob::isOverlooked).toList());
  }

  /** How much dearer the plans are than the cheapest found by enumeration, as fractions. */
  Series premiums() {
    return Series.of(planned.stream().flatMapToDouble(job -> job.premium().stream()));
  }

  /** Those that break their promise. */
  List<NoisyJob> broken() {
    return planned.stream().filter(job -> job.error() > 0.02 || job.realised() < 0.93).toList();
  }
}
