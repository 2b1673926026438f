package io.elastune.simulator;

import static io.elastune.simulator.PropertiesTest.estimate;
import static io.elastune.simulator.PropertiesTest.samples;
import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.estimate.GroupEstimate;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.PriceKind;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.core.profile.Profile;
import io.elastune.core.profile.Straggler;
import io.elastune.core.properties.ForAll;
import io.elastune.core.properties.PlannedJob;
import io.elastune.simulator.sample.JointSamples;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Tests relations between the samples of two jobs or plans with common random numbers. */
class ComparisonPropertiesTest {
  private static final int JOBS = RandomProblems.some(1000);
  private static final double ROUNDING = 1e-9;

  private static void forAll(ForAll.Property property) {
    ForAll.seeds(JOBS, RandomProblems::planned).hold(property);
  }

  @Test
  void orderOfOffersDoesNotMatter() {
    forAll(
        job -> {
          List<Offer> reversed = new ArrayList<>(job.problem().offers());
          Collections.reverse(reversed);
          Problem other = job.problem().with(reversed, job.problem().profiles());
          assertThat(estimate(job.with(other))).isEqualTo(estimate(job));
        });
  }

  @Test
  void unusedOffersChangeNothing() {
    forAll(
        job -> {
          Offer some = job.problem().offers().get(0);
          List<Offer> more = new ArrayList<>(job.problem().offers());
          more.add(0, renamed(some, "unused").withUsdPerHour(0.01));
          Problem other = job.problem().with(more, job.problem().profiles());
          assertThat(estimate(job.with(other))).isEqualTo(estimate(job));
        });
  }

  @Test
  void additionalChainsDoNotChangeOthers() {
    forAll(
        job -> {
          List<Chain> chains = new ArrayList<>(job.problem().workload().chains());
          TrialGroup first = chains.get(0).groups().get(0);
          TrialGroup more = new TrialGroup("z.1", first.trials(), first.fromUnit(), first.toUnit());
          chains.add(new Chain("z", List.of(more)));
          Map<String, Allocation> allocations = new LinkedHashMap<>(job.plan().allocations());
          allocations.put("z.1", job.plan().of(first));
          List<GroupEstimate> with =
              estimate(
                      new PlannedJob(
                          ProblemVariants.workload(job.problem(), new Workload(chains)),
                          new Plan(job.plan().hold(), allocations)))
                  .groups();
          assertThat(with.subList(0, with.size() - 1)).isEqualTo(estimate(job).groups());
        });
  }

  @Test
  void holdChangesNoTimeAndSavesNothing() {
    forAll(
        job -> {
          Map<String, Allocation> allocations = withoutSpares(job.plan());
          JointSamples released = samples(job.with(new Plan(false, allocations)));
          JointSamples held = samples(job.with(new Plan(true, allocations)));
          assertThat(held.completionS()).isEqualTo(released.completionS());
          for (int i = 0; i < held.costUsd().length; i++) {
            assertThat(held.costUsd()[i])
                .isGreaterThanOrEqualTo(released.costUsd()[i] * (1 - ROUNDING));
          }
        });
  }

  /** List scheduling of independent trials has no anomalies if instances are equally fast. */
  @Test
  void moreInstancesNeverDelayAStaticCluster() {
    forAll(
        job -> {
          PlannedJob cluster = staticCluster(job);
          double[] before = samples(cluster).completionS();
          double[] after = samples(cluster.with(larger(cluster.plan()))).completionS();
          for (int i = 0; i < before.length; i++) {
            assertThat(after[i]).isLessThanOrEqualTo(before[i] * (1 + ROUNDING));
          }
        });
  }

  private static PlannedJob staticCluster(PlannedJob job) {
    Chain chain = job.problem().workload().chains().get(0);
    Allocation first =
        Objects.requireNonNull(withoutSpares(job.plan()).get(chain.groups().get(0).name()));
    Map<String, Allocation> allocations = new LinkedHashMap<>();
    chain.groups().forEach(group -> allocations.put(group.name(), first));
    Problem alone =
        ProblemVariants.workload(withEqualInstances(job.problem()), new Workload(List.of(chain)));
    return new PlannedJob(alone, new Plan(true, allocations));
  }

  /** Plans that hold all instances have no spare ones. */
  private static Map<String, Allocation> withoutSpares(Plan plan) {
    Map<String, Allocation> allocations = new LinkedHashMap<>();
    plan.allocations()
        .forEach((group, now) -> allocations.put(group, now.withMoreSpare(-now.spare())));
    return allocations;
  }

  private static Plan larger(Plan plan) {
    Map<String, Allocation> allocations = new LinkedHashMap<>();
    plan.allocations()
        .forEach((group, now) -> allocations.put(group, now.withInstances(now.instances() + 1)));
    return new Plan(plan.hold(), allocations);
  }

  private static Problem withEqualInstances(Problem problem) {
    Map<String, Profile> profiles = new TreeMap<>();
    problem
        .profiles()
        .forEach(
            (gpu, p) ->
                profiles.put(
                    gpu, WorkedExample.with(p, p.straggler(), p.samples(), 0, Straggler.NONE)));
    return problem.with(problem.offers(), profiles);
  }

  private static Offer renamed(Offer offer, String type) {
    return new Offer(
        offer.infra(),
        type,
        offer.gpu(),
        offer.gpus(),
        offer.market(),
        offer.usdPerHour(),
        PriceKind.NOTIONAL,
        offer.billing(),
        offer.queueS(),
        offer.bootS(),
        offer.dataInUsd(),
        offer.diskUsdPerHour(),
        offer.coresPerGpu());
  }
}
