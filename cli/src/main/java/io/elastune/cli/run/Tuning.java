package io.elastune.cli.run;

import io.elastune.cli.screen.Totals;
import io.elastune.cli.wiring.Inputs;
import io.elastune.cli.world.Output;
import io.elastune.cli.world.Version;
import io.elastune.cli.world.World;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.estimate.GroupEstimate;
import io.elastune.core.files.JobFile;
import io.elastune.core.files.PlanDocument;
import io.elastune.core.files.PlanFile;
import io.elastune.core.job.Job;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.PriceKind;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.profile.Profile;
import io.elastune.executor.core.RunDefinition;
import io.elastune.executor.core.RunState;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunMeta;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import tools.jackson.databind.json.JsonMapper;

/** Carries a confirmed plan out. */
final class Tuning {
  /** A trial is hung after this many times the start-up and unit that its profile predicts. */
  private static final double PATIENCE = 10;

  /** The least silence, in seconds, after which a trial counts as hung. */
  private static final double LEAST_PATIENCE_S = 20;

  /** Seconds that a stopped trial is expected to take where its checkpoints were not measured. */
  private static final double LEAST_GRACE_S = 5;

  /** The trial protocol gives a stopped trial no more seconds than this. */
  private static final double MOST_GRACE_S = 30;

  /** Checkpoints are expected to take at most this many times their measured mean. */
  private static final double CHECKPOINTS_SLOWER = 3;

  private final World world;
  private final Output output;
  private final Account account;
  private final Carrier carrier;

  Tuning(World world, Output output, Account account, Carrier carrier) {
    this.world = world;
    this.output = output;
    this.account = account;
    this.carrier = carrier;
  }

  /** Carries the plan out as run {@code run}. */
  RunState carry(Approval approved, String run) {
    RunDefinition definition = definition(approved, run);
    Progress progress =
        new Progress(world, output, definition, approved.job().search().resource().unit());
    try {
      return carrier.carry(definition, meta(approved, definition), progress);
    } finally {
      progress.close();
    }
  }

  private RunDefinition definition(Approval approved, String run) {
    Job job = approved.job();
    Problem problem = approved.problem();
    Plan plan = approved.plan();
    Estimate estimate = approved.estimate();
    return new RunDefinition(
        run,
        problem.workload(),
        plan,
        offers(problem, plan),
        job.search().metric(),
        job.trial().maxFailures(),
        job.budget(),
        budgetUsd(approved),
        account.deadlineS(job, world.clock().instant()),
        job.deadlineMiss(),
        forecasts(estimate),
        watchdogs(problem, plan),
        graceS(problem),
        problem.running());
  }

  private static double graceS(Problem problem) {
    double measured =
        problem.profiles().values().stream()
            .mapToDouble(profile -> profile.checkpointS().mean())
            .max()
            .orElse(0);
    return Math.min(MOST_GRACE_S, Math.max(LEAST_GRACE_S, CHECKPOINTS_SLOWER * measured));
  }

  /** Without a budget the implied one binds where money is really charged. */
  private OptionalDouble budgetUsd(Approval approved) {
    OptionalDouble given = account.budgetUsd(approved.job());
    return given.isPresent() || isNotional(offers(approved.problem(), approved.plan()))
        ? given
        : OptionalDouble.of(Totals.impliedBudgetUsd(approved.estimate()));
  }

  private static boolean isNotional(Map<String, Offer> offers) {
    return offers.values().stream().allMatch(offer -> offer.price() == PriceKind.NOTIONAL);
  }

  private static Map<String, Offer> offers(Problem problem, Plan plan) {
    Map<String, Offer> offers = new LinkedHashMap<>();
    for (Allocation allocation : plan.allocations().values()) {
      offers.put(allocation.offer(), offer(problem, allocation));
    }
    return offers;
  }

  private static Offer offer(Problem problem, Allocation allocation) {
    return problem
        .offer(allocation.offer())
        .orElseThrow(() -> new IllegalStateException("no offer " + allocation.offer()));
  }

  private static Map<String, RunDefinition.Forecast> forecasts(Estimate estimate) {
    Map<String, RunDefinition.Forecast> forecasts = new LinkedHashMap<>();
    for (GroupEstimate group : estimate.groups()) {
      forecasts.put(
          group.group(),
          new RunDefinition.Forecast(
              group.endS().mean() - group.startS().mean(), group.costUsd().mean()));
    }
    return forecasts;
  }

  private static Map<String, Double> watchdogs(Problem problem, Plan plan) {
    Map<String, Double> seconds = new LinkedHashMap<>();
    for (TrialGroup group : problem.workload().groups()) {
      Allocation allocation = plan.of(group);
      Profile profile = problem.profile(offer(problem, allocation)).orElseThrow();
      double unit =
          allocation.trialsPerGpu() > 1
              ? profile.secondsPerUnitSharing(allocation.trialsPerGpu()).orElseThrow()
              : profile.secondsPerUnit(allocation.gpusPerTrial()).orElseThrow();
      double predicted = profile.startupS().mean() + unit;
      seconds.put(group.name(), Math.max(LEAST_PATIENCE_S, PATIENCE * predicted));
    }
    return seconds;
  }

  private RunMeta meta(Approval approved, RunDefinition definition) {
    Inputs inputs = approved.inputs();
    Job job = inputs.job().value();
    PlanDocument plan = PlanDocument.of(approved.plan(), definition.workload(), Optional.empty());
    RunFolder folder = RunFolder.of(world.home(), definition.run());
    Path checkpoints =
        job.trial()
            .checkpoints()
            .store()
            .map(store -> carrier.workdir().resolve(store).resolve(definition.run()))
            .orElse(folder.checkpointStore());
    return new RunMeta(
        RunMeta.Kind.TUNE,
        Version.text(),
        inputs.job().name(),
        JobFile.write(job),
        JsonMapper.shared().writeValueAsString(PlanFile.tree(plan)),
        job.search().resource().unit(),
        job.search().metric(),
        definition.deadlineS(),
        job.budget().map(budget -> OptionalDouble.of(budget.usd())).orElse(OptionalDouble.empty()),
        isNotional(definition.offers()),
        account.profilingRun(),
        account.profilingUsd(),
        Optional.of(approved.estimate()),
        checkpoints.toString());
  }
}
