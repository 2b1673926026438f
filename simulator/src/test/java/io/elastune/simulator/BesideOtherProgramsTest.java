package io.elastune.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.Spread;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.OfferBuilder;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.profile.MachineLoad;
import io.elastune.core.profile.Profile;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Predicts the worked example "Other programs" of docs/model.md. */
class BesideOtherProgramsTest {
  private static final Offer OFFER =
      OfferBuilder.builder(
              WorkedExample.offer(
                  "core", "cpu", 1, BillingTerms.BY_THE_SECOND, Spread.NONE, Spread.NONE))
          .infra("local")
          .build();
  private static final MachineLoad LOAD = new MachineLoad(2, 1.5, 2);

  /** Two times 40 s × 15/16 with two at once, three times 40 s × 7/8 one after the other. */
  @Test
  void fewerTrialsAtOnceAreFaster() {
    assertThat(completionS(Optional.of(LOAD), 2)).isCloseTo(75, within(1e-9));
    assertThat(completionS(Optional.of(LOAD), 1)).isCloseTo(105, within(1e-9));
    assertThat(completionS(Optional.empty(), 2)).isCloseTo(80, within(1e-9));
    assertThat(completionS(Optional.empty(), 1)).isCloseTo(120, within(1e-9));
  }

  /** One simulator predicts both plans, and its random numbers are those of each. */
  @Test
  void drawsOfPlansHaveTheirOwnTimes() {
    Simulator simulator = new Simulator(problem(profile(Optional.of(LOAD), 0.3)), 2_000);
    double two = mean(simulator.simulate(plan(2)));
    double one = mean(simulator.simulate(plan(1)));

    assertThat(
            mean(new Simulator(problem(profile(Optional.of(LOAD), 0.3)), 2_000).simulate(plan(1))))
        .isEqualTo(one);
    assertThat(one / two).isBetween(1.2, 1.5);
  }

  private static double completionS(Optional<MachineLoad> load, int instances) {
    return mean(new Simulator(problem(profile(load, 0)), 1).simulate(plan(instances)));
  }

  private static double mean(Estimate estimate) {
    return estimate.completionS().mean();
  }

  private static Profile profile(Optional<MachineLoad> load, double startupCv) {
    return WorkedExample.profile(
            "cpu", Map.of(1, 32.0), Map.of(), new Spread(8, startupCv), startupCv, 0)
        .withLoad(load);
  }

  private static Problem problem(Profile profile) {
    return WorkedExample.problem(
        List.of(new Chain("", List.of(new TrialGroup("1", 3, 0, 1)))), List.of(OFFER), profile);
  }

  private static Plan plan(int instances) {
    return new Plan(false, Map.of("1", new Allocation(OFFER.name(), instances, 1, 1)));
  }
}
