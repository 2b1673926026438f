package io.elastune.cli.run;

import io.elastune.cli.runs.PlanDecision;
import io.elastune.cli.screen.Totals;
import io.elastune.cli.wiring.Assumed;
import io.elastune.cli.wiring.Inputs;
import io.elastune.cli.world.Output;
import io.elastune.cli.world.Version;
import io.elastune.cli.world.World;
import io.elastune.core.config.JobFile;
import io.elastune.core.config.PlanDocument;
import io.elastune.core.config.PlanFile;
import io.elastune.core.job.Job;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.PriceKind;
import io.elastune.core.plan.Plan;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunDefinitionFactory;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunMeta;
import io.elastune.simulator.Contributions;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/** Executes a confirmed plan. */
final class Tuning {
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

  /** Executes the plan as run {@code run}. */
  RunState carry(Approval approved, String run) {
    RunDefinition definition = definition(approved, run);
    Progress progress =
        new Progress(world, output, definition, approved.job().search().resource().unit());
    try {
      return carry(approved, definition, progress);
    } finally {
      progress.close();
    }
  }

  private RunState carry(Approval approved, RunDefinition definition, Progress progress) {
    RunMeta meta = meta(approved, definition);
    if (!SimulatedGround.isMeant(definition.offers().values())) {
      return carrier.carry(definition, meta, progress);
    }
    SimulatedGround ground =
        new SimulatedGround(
            approved.problem(), approved.estimate().completionS().mean(), world.clock().instant());
    progress.complain(ground.remark());
    return carrier.simulate(ground, definition, meta, progress);
  }

  private RunDefinition definition(Approval approved, String run) {
    RunDefinition definition =
        RunDefinitionFactory.of(
            run,
            approved.job(),
            approved.problem(),
            approved.plan(),
            approved.estimate(),
            account.deadlineS(approved.job(), world.clock().instant()),
            budgetUsd(approved));
    // A simulated run shows the plan as confirmed, without re-planning.
    return SimulatedGround.isMeant(definition.offers().values())
        ? definition.withoutReplanning()
        : definition;
  }

  /** Returns the budget in USD. Without one, the implied budget applies if prices are charged. */
  private OptionalDouble budgetUsd(Approval approved) {
    OptionalDouble given = account.budgetUsd(approved.job());
    return given.isPresent()
            || isNotional(RunDefinitionFactory.offers(approved.problem(), approved.plan()))
        ? given
        : OptionalDouble.of(Totals.impliedBudgetUsd(approved.estimate()));
  }

  private static boolean isNotional(Map<String, Offer> offers) {
    return offers.values().stream().allMatch(offer -> offer.price() == PriceKind.NOTIONAL);
  }

  /** Returns the plan as a plan file, with the reasons for it. */
  private static String plan(Approval approved, RunDefinition definition) {
    Plan plan = approved.plan();
    Map<String, Object> kept =
        new LinkedHashMap<>(
            PlanFile.tree(PlanDocument.of(plan, definition.workload(), Optional.empty())));
    kept.put(
        PlanDecision.FIELD,
        PlanDecision.of(
            approved.estimate(),
            Contributions.of(approved.problem(), plan),
            new Assumed(approved.problem()).mark(Stream.of(plan))));
    return JsonMapper.shared().writeValueAsString(kept);
  }

  private RunMeta meta(Approval approved, RunDefinition definition) {
    Inputs inputs = approved.inputs();
    Job job = inputs.job().value();
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
        plan(approved, definition),
        job.search().resource().unit(),
        job.search().metric(),
        definition.deadlineS(),
        job.budget().map(budget -> OptionalDouble.of(budget.usd())).orElse(OptionalDouble.empty()),
        isNotional(definition.offers()),
        account.profilingRun(),
        account.profilingUsd(),
        Optional.of(RunMeta.Predicted.of(approved.estimate())),
        inputs.job().folder().toString(),
        checkpoints.toString());
  }
}
