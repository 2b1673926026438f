package io.elastune.executor.rehearsal;

import io.elastune.executor.decision.forecast.Ledger;
import io.elastune.executor.decision.model.CheckpointLinks;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.GpuSlot;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.engine.Engine;
import io.elastune.executor.engine.SharedCheckpoints;
import io.elastune.executor.runtime.CommandExecutor;
import io.elastune.executor.simulation.SimulatedEnvironment;
import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.Tags;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Connects one controller of a rehearsed run to the simulated cloud and engine. */
final class RehearsalAdapters {
  private static final Duration DEAD_MAN = Duration.ofMinutes(15);

  private final RehearsedJob job;
  private final Cloud cloud;
  private final Engine engine;
  private final CommandExecutor commandExecutor;

  /**
   * Creates the adapters; {@code advisorRequests} receives requests for new plans and budget
   * approvals.
   */
  RehearsalAdapters(
      RehearsedJob job,
      Cloud cloud,
      Engine engine,
      CommandExecutor.AdvisorRequests advisorRequests) {
    this.job = job;
    this.cloud = cloud;
    this.engine = engine;
    commandExecutor =
        new CommandExecutor(
            job.definition().run(),
            cloud,
            engine,
            DEAD_MAN,
            this::request,
            this::spec,
            advisorRequests);
  }

  /**
   * Sends the nodes their expiry limit, so that the run stays within its budget even if the
   * controller fails.
   */
  void limitNodeExpiry(RunState state) {
    commandExecutor.limitNodeExpiry(Ledger.of(job.definition(), state));
  }

  void execute(Command command) {
    command.match(commandExecutor);
  }

  /** Simulates the failure of the controller, with or without its workers. */
  void fail(SimulatedEnvironment world, boolean withWorkers) {
    if (withWorkers) {
      engine.close();
    }
    world.failController(cloud, engine);
  }

  private LeaseRequest request(String lease, String offer) {
    RunDefinition definition = job.definition();
    Map<String, String> tags =
        Map.of(
            Tags.RUN,
            definition.run(),
            Tags.OWNER,
            "rehearsal",
            Tags.LEASE,
            lease,
            Tags.EXPIRES,
            "0");
    return new LeaseRequest(
        definition.run(), lease, definition.offer(offer), Optional.empty(), tags, DEAD_MAN);
  }

  private AttemptSpec spec(Command.StartAttempt command) {
    return AttemptSpec.builder()
        .attempt(command.attempt())
        .run(job.definition().run())
        .trial(command.trial())
        .config(Map.of())
        .unit("unit")
        .from(command.from())
        .to(command.to())
        .seed(command.trial())
        .command("train")
        .workdir(".")
        .checkpointDir(".")
        .log("log")
        .environment(Map.of())
        .keep(job.keep())
        .workers(workers(command.places()))
        .resumable(job.definition().isResumable())
        .measured(job.definition().measurement().isPresent())
        .shared(shared(command.links()))
        .checkpointEvery(command.checkpointEvery())
        .trialsPerGpu(command.trialsPerGpu())
        .keepAlive(keepAlive(command.to()))
        .build();
  }

  private AttemptSpec.KeepAlive keepAlive(int to) {
    if (!job.definition().keepAlive() || job.definition().measurement().isPresent()) {
      return AttemptSpec.KeepAlive.OFF;
    }
    return to < job.definition().lastUnit()
        ? AttemptSpec.KeepAlive.WAIT
        : AttemptSpec.KeepAlive.LAST;
  }

  private static SharedCheckpoints shared(CheckpointLinks links) {
    return new SharedCheckpoints(
        links.parent().stream()
            .mapToObj(trial -> new SharedCheckpoints.Source(trial, "."))
            .findFirst(),
        links.held());
  }

  private static List<AttemptSpec.Worker> workers(List<GpuSlot> gpuSlots) {
    return gpuSlots.stream()
        .map(
            gpuSlot -> new AttemptSpec.Worker(gpuSlot.lease(), gpuSlot.lease(), "0", gpuSlot.gpu()))
        .toList();
  }
}
