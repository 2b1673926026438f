package io.elastune.simulator;

import io.elastune.core.Spread;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Problem;
import io.elastune.core.profile.Profile;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** A cause of delay: why a plan takes longer than its training alone. */
public enum DelayCause {
  /** Instances wait in the provider's queue from request to running. */
  QUEUEING("queueing") {
    @Override
    Problem without(Problem problem) {
      return with(problem, o -> o.withProvisioning(Spread.NONE, o.bootS()), p -> p);
    }
  },
  /** Instances boot and run the job's setup. */
  BOOT("boot") {
    @Override
    Problem without(Problem problem) {
      return with(problem, o -> o.withProvisioning(o.queueS(), Spread.NONE), p -> p);
    }
  },
  /** Trials start their process, load data and restore a checkpoint. */
  STARTUP("start-up") {
    @Override
    Problem without(Problem problem) {
      return with(problem, o -> o, p -> p.withStartup(Spread.NONE));
    }
  },
  /** Trials and instances vary in speed, and a group waits for its slowest trial. */
  STRAGGLERS("stragglers") {
    @Override
    Problem without(Problem problem) {
      return with(problem, o -> o, Profile::withoutStragglers);
    }
  };

  private final String word;

  DelayCause(String word) {
    this.word = word;
  }

  /** Returns the name used in JSON and on screens. */
  public String word() {
    return word;
  }

  /** Returns the problem without this cause; all other random draws stay the same. */
  abstract Problem without(Problem problem);

  /** Returns the problem without faults and with every quantity at its mean. */
  static Problem withoutSpread(Problem problem) {
    return with(
        problem.withoutFaults(),
        o ->
            o.withProvisioning(Spread.exactly(o.queueS().mean()), Spread.exactly(o.bootS().mean())),
        p -> p.withoutStragglers().withStartup(Spread.exactly(p.startupS().mean())));
  }

  private static Problem with(
      Problem problem, UnaryOperator<Offer> offer, UnaryOperator<Profile> profile) {
    List<Offer> offers = problem.offers().stream().map(offer).toList();
    Map<String, Profile> profiles = new TreeMap<>(problem.profiles());
    profiles.replaceAll((gpu, known) -> profile.apply(known));
    return problem.with(offers, profiles);
  }
}
