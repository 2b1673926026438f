package io.elastune.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.Spread;
import io.elastune.core.billing.HourlyCosts;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.BillingTerms.Per;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.PriceKind;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.profile.Profile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/**
 * Tests every component of the cost against values computed by hand. An instance with four GPUs
 * costs 1 USD per 1,000 s. It is running after 15 s and ready 60 s later. A trial takes 10 + 30 s.
 */
class BillingFormsTest {
  private static final double USD_PER_S = 1e-3;
  private static final double QUEUE_S = 15;
  private static final double BOOT_S = 60;
  private static final double TRIAL_S = 40;
  private static final double HELD_S = BOOT_S + TRIAL_S;
  private static final double COMPLETION_S = QUEUE_S + HELD_S;
  private static final Offset<Double> EXACT = within(1e-9);

  private static final Plan ONE = WorkedExample.plan("1×1", false);
  private static final Plan THREE = WorkedExample.plan("3×1", false);

  @Test
  void billsTheMinimum() {
    assertThat(usd(terms(1, 60), 1, ONE)).isCloseTo(HELD_S * USD_PER_S, EXACT);
    assertThat(usd(terms(1, 600), 1, ONE)).isCloseTo(600 * USD_PER_S, EXACT);
    assertThat(usd(terms(3600, 7200), 1, ONE)).isCloseTo(7200 * USD_PER_S, EXACT);
  }

  @Test
  void roundsUpToBillingIncrements() {
    assertThat(usd(terms(60, 0), 1, ONE)).isCloseTo(120 * USD_PER_S, EXACT);
    assertThat(usd(terms(50, 0), 1, ONE)).isCloseTo(100 * USD_PER_S, EXACT);
    assertThat(usd(terms(3600, 60), 1, ONE)).isCloseTo(3600 * USD_PER_S, EXACT);
    // 60 + 90 × 40 s: one minute of the second hour.
    assertThat(usd(terms(3600, 60), 4 * 90, ONE)).isCloseTo(7200 * USD_PER_S, EXACT);
    // Beyond the minimum, increments count from the start: 620 s are 11 minutes.
    assertThat(usd(terms(60, 600), 4 * 14, ONE)).isCloseTo(660 * USD_PER_S, EXACT);
  }

  @Test
  void roundingCountsAsIdleTime() {
    Estimate estimate = simulate(offer(terms(3600, 60), 0, 0, 0), 1, ONE);

    assertThat(estimate.costBy().compute()).isCloseTo(TRIAL_S / 4 * USD_PER_S, EXACT);
    assertThat(estimate.costBy().provisioning()).isCloseTo(BOOT_S * USD_PER_S, EXACT);
    assertThat(estimate.costBy().idle())
        .isCloseTo((3600 - BOOT_S - TRIAL_S / 4) * USD_PER_S, EXACT);
  }

  @Test
  void chargesPerUseOncePerRunningLease() {
    Estimate three = simulate(offer(terms(1, 0), 0.25, 0, 0), 1, THREE);

    assertThat(three.costBy().other()).isCloseTo(3 * 0.25, EXACT);
    // The two instances without a trial are released when the only trial starts, after their boot.
    assertThat(three.costUsd().mean())
        .isCloseTo(3 * 0.25 + (HELD_S + 2 * BOOT_S) * USD_PER_S, EXACT);
  }

  @Test
  void doesNotChargePerUseWhilePending() {
    Offer late =
        offer(terms(1, 0), 0.25, 0, 0).withProvisioning(new Spread(QUEUE_S, 1), Spread.NONE);
    Estimate three =
        new Simulator(problem(late, List.of(chain(1)), HourlyCosts.NONE), 200).simulate(THREE);

    assertThat(three.costBy().other()).isCloseTo(0.25, EXACT);
  }

  @Test
  void chargesDataInForEveryLease() {
    Offer late =
        offer(terms(1, 0), 0, 0.125, 0).withProvisioning(new Spread(QUEUE_S, 1), Spread.NONE);
    Estimate three =
        new Simulator(problem(late, List.of(chain(1)), HourlyCosts.NONE), 200).simulate(THREE);

    assertThat(three.costBy().data()).isCloseTo(3 * 0.125, EXACT);
    assertThat(three.costUsd().mean() - three.costBy().data()).isLessThan(41 * USD_PER_S);
  }

  @Test
  void chargesDisksFromRunningToRelease() {
    Estimate estimate = simulate(offer(terms(3600, 60), 0, 0, 0.36), 1, THREE);

    assertThat(estimate.costBy().other()).isCloseTo((HELD_S + 2 * BOOT_S) * 0.36 / 3600, EXACT);
  }

  @Test
  void useOnlyBillingCountsTrialSeconds() {
    BillingTerms use = new BillingTerms(Per.USE, 1, 0, 0);
    Chain chain =
        new Chain("", List.of(new TrialGroup("1", 5, 0, 1), new TrialGroup("2", 1, 1, 2)));
    // Four trials on the first instance, one on the second; then one more on the first, while the
    // second is held idle: neither that nor the boots are billed.
    Estimate estimate =
        new Simulator(problem(offer(use, 0, 0, 0), List.of(chain), HourlyCosts.NONE), 1)
            .simulate(WorkedExample.plan("2×1 2×1", true));

    assertThat(estimate.costUsd().mean()).isCloseTo(3 * TRIAL_S * USD_PER_S, EXACT);
    assertThat(estimate.costBy().compute()).isCloseTo(3 * TRIAL_S * USD_PER_S, EXACT);
    assertThat(estimate.costBy().provisioning()).isZero();
    assertThat(estimate.costBy().idle()).isZero();
  }

  @Test
  void useOnlyBillingRoundsOncePerLease() {
    BillingTerms use = new BillingTerms(Per.USE, 60, 90, 0);
    Chain chain =
        new Chain("", List.of(new TrialGroup("1", 5, 0, 1), new TrialGroup("2", 1, 1, 2)));
    Estimate estimate =
        new Simulator(problem(offer(use, 0, 0, 0), List.of(chain), HourlyCosts.NONE), 1)
            .simulate(WorkedExample.plan("2×1 2×1", true));

    // 80 s are rounded to 120 s, 40 s to the minimum.
    assertThat(estimate.costUsd().mean()).isCloseTo((120 + 90) * USD_PER_S, EXACT);
  }

  @Test
  void chargesControllerAndStorageUntilCompletion() {
    HourlyCosts running = new HourlyCosts(1.2, 0.09);
    Offer offer = offer(terms(1, 0), 0, 0, 0);
    Estimate estimate =
        new Simulator(problem(offer, List.of(chain(1)), running), 1).simulate(THREE);

    assertThat(estimate.completionS().mean()).isCloseTo(COMPLETION_S, EXACT);
    assertThat(estimate.costBy().other()).isCloseTo(1.2 * COMPLETION_S / 3600, EXACT);
    assertThat(estimate.costBy().data()).isCloseTo(0.09 * COMPLETION_S / 3600, EXACT);
    assertThat(estimate.costUsd().mean())
        .isCloseTo((HELD_S + 2 * BOOT_S) * USD_PER_S + 1.29 * COMPLETION_S / 3600, EXACT);
  }

  @Test
  void chargesControllerAndStorageOnceForAllChains() {
    Chain a = new Chain("a", List.of(new TrialGroup("a.1", 1, 0, 1)));
    Chain b = new Chain("b", List.of(new TrialGroup("b.1", 1, 0, 4)));
    Offer offer = offer(terms(1, 0), 0, 0, 0);
    Allocation one = new Allocation(offer.name(), 1, 1, 1);
    Estimate estimate =
        new Simulator(problem(offer, List.of(a, b), new HourlyCosts(3.6, 1.8)), 1)
            .simulate(new Plan(false, Map.of("a.1", one, "b.1", one)));

    double longestS = QUEUE_S + BOOT_S + 10 + 4 * 30;
    assertThat(estimate.costBy().other()).isCloseTo(3.6 * longestS / 3600, EXACT);
    assertThat(estimate.costBy().data()).isCloseTo(1.8 * longestS / 3600, EXACT);
  }

  @Test
  void costsAddUp() {
    Estimate estimate =
        new Simulator(
                problem(
                    offer(terms(60, 90), 0.25, 0.125, 0.36),
                    List.of(chain(1)),
                    new HourlyCosts(1.2, 0.09)),
                1)
            .simulate(ONE);

    assertThat(estimate.costUsd().mean())
        .isCloseTo(
            120 * USD_PER_S + 0.25 + 0.125 + 0.36 * HELD_S / 3600 + 1.29 * COMPLETION_S / 3600,
            EXACT);
  }

  private static BillingTerms terms(double granularityS, double minimumS) {
    return new BillingTerms(Per.INSTANCE, granularityS, minimumS, 0);
  }

  private static Offer offer(
      BillingTerms terms, double perUseUsd, double dataInUsd, double diskUsdPerHour) {
    return new Offer(
        "aws/us-east-1",
        "p3.8xlarge",
        "V100",
        4,
        Market.ON_DEMAND,
        USD_PER_S * 3600,
        PriceKind.LIST,
        new BillingTerms(terms.per(), terms.granularityS(), terms.minimumS(), perUseUsd),
        Spread.exactly(QUEUE_S),
        Spread.exactly(BOOT_S),
        dataInUsd,
        diskUsdPerHour,
        1);
  }

  private static Chain chain(int trials) {
    return new Chain("", List.of(new TrialGroup("1", trials, 0, 1)));
  }

  private static double usd(BillingTerms terms, int trials, Plan plan) {
    return simulate(offer(terms, 0, 0, 0), trials, plan).costUsd().mean();
  }

  private static Estimate simulate(Offer offer, int trials, Plan plan) {
    return new Simulator(problem(offer, List.of(chain(trials)), HourlyCosts.NONE), 1)
        .simulate(plan);
  }

  private static Problem problem(Offer offer, List<Chain> chains, HourlyCosts running) {
    Profile profile =
        WorkedExample.profile("V100", Map.of(1, 30.0), Map.of(), Spread.exactly(10), 0, 0);
    Problem free = WorkedExample.problem(new ArrayList<>(chains), List.of(offer), profile);
    return new Problem(
        free.workload(),
        free.offers(),
        free.profiles(),
        free.gpusPerTrial(),
        free.limits(),
        running,
        free.seed());
  }
}
