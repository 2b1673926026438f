package io.elastune.planner.quality;

import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.stream.LongStream;

/**
 * Collects the results of many jobs with spread.
 *
 * @param jobs number of jobs; some have no plan
 * @param planned jobs with a plan
 * @param overlooked jobs for which enumeration finds a plan and the planner does not
 */
record NoisyJobs(int jobs, List<NoisyJob> planned, List<NoisyJob> overlooked) {
  /** No results. */
  static final NoisyJobs NONE = new NoisyJobs(0, List.of(), List.of());

  /** Plans the jobs of all seeds below {@code count}. */
  static NoisyJobs of(int count, LongFunction<Optional<NoisyJob>> ask) {
    List<NoisyJob> all =
        LongStream.range(0, count).parallel().mapToObj(ask).flatMap(Optional::stream).toList();
    return new NoisyJobs(
        count,
        all.stream().filter(job -> !job.isOverlooked()).toList(),
        all.stream().filter(NoisyJob::isOverlooked).toList());
  }

  /** Returns the extra cost of the plans over the cheapest by enumeration, as fractions. */
  Statistics premiums() {
    return Statistics.of(planned.stream().flatMapToDouble(job -> job.premium().stream()));
  }

  /** Returns the jobs whose prediction is wrong by more than the limit. */
  List<NoisyJob> inaccurate() {
    return planned.stream().filter(job -> job.error() > 0.02 || job.actual() < 0.93).toList();
  }
}
