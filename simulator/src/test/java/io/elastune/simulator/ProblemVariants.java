package io.elastune.simulator;

import io.elastune.core.Spread;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.Workload;
import io.elastune.core.profile.Profile;
import io.elastune.core.profile.ProfileBuilder;
import io.elastune.core.profile.Straggler;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** Returns variants of a problem that differ in one respect. */
final class ProblemVariants {
  private ProblemVariants() {}

  static Problem offers(Problem problem, UnaryOperator<Offer> change) {
    return problem.with(problem.offers().stream().map(change).toList(), problem.profiles());
  }

  static Problem workload(Problem problem, Workload workload) {
    return new Problem(
        workload,
        problem.offers(),
        problem.profiles(),
        problem.gpusPerTrial(),
        problem.limits(),
        problem.running(),
        problem.seed());
  }

  /**
   * Returns the problem without the values that make trials end at the same time on instances of
   * different speed. With them, a rounding error decides where the next trial starts.
   */
  static Problem tieFree(Problem problem) {
    Map<String, Profile> profiles = new TreeMap<>();
    problem
        .profiles()
        .forEach(
            (gpu, p) ->
                profiles.put(
                    gpu,
                    p.instanceCv() > 0
                        ? WorkedExample.with(
                            p, Straggler.NONE, List.of(), p.instanceCv(), Straggler.NONE)
                        : WorkedExample.with(p, p.straggler(), p.samples(), 0, Straggler.NONE)));
    return problem.with(problem.offers(), profiles);
  }

  /** Returns the problem with all times of offers and profiles multiplied by {@code k}. */
  static Problem times(Problem problem, double k) {
    Map<String, Profile> profiles = new TreeMap<>();
    problem.profiles().forEach((gpu, known) -> profiles.put(gpu, times(known, k)));
    return problem.with(
        problem.offers().stream()
            .map(o -> o.withProvisioning(times(o.queueS(), k), times(o.bootS(), k)))
            .toList(),
        profiles);
  }

  private static Spread times(Spread spread, double k) {
    return new Spread(spread.mean() * k, spread.cv());
  }

  private static Profile times(Profile p, double k) {
    Map<Integer, Double> seconds = new TreeMap<>();
    p.secondsByGpus().forEach((gpus, s) -> seconds.put(gpus, s * k));
    Map<Integer, Double> sharing = new TreeMap<>();
    p.secondsBySharing().forEach((trials, s) -> sharing.put(trials, s * k));
    return ProfileBuilder.builder(p)
        .secondsByGpus(new TreeMap<>(seconds))
        .secondsBySharing(new TreeMap<>(sharing))
        .startupS(times(p.startupS(), k))
        .build();
  }
}
