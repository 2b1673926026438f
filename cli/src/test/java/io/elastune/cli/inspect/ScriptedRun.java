package io.elastune.cli.inspect;

import io.elastune.cli.testing.InProcessCli;
import io.elastune.executor.decision.RunCore;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.StepResult;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.executor.journal.Journal;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunMeta;
import io.elastune.executor.runtime.ControllerLock;
import io.elastune.executor.runtime.RunListener;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.InstanceInfo;
import io.elastune.provisioner.LossReason;
import io.elastune.provisioner.Node;
import io.elastune.provisioner.NodePreparation;
import io.elastune.provisioner.RefusalReason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/**
 * Simulates a controller without a clock or processes, with the real decision core and journal.
 * Every instance takes 2 s to run and 3 s more to become ready; every unit of training takes 10 s.
 * Trial 3 fails until it is dropped; among the others, a higher number is better.
 */
final class ScriptedRun implements Command.Visitor, AutoCloseable {
  static final Instant BEGAN = InProcessCli.NOW.minusSeconds(3600);
  private static final int BAD_TRIAL = 3;

  private record Posted(RunEvent event, int order) {}

  private final RunFolder folder;
  private final RunDefinition definition;
  private final RunCore core;
  private final Journal journal;
  private final ControllerLock lock;
  private final PriorityQueue<Posted> queue =
      new PriorityQueue<>(
          Comparator.comparing((Posted posted) -> posted.event().at())
              .thenComparingInt(Posted::order));
  private final Set<String> attempts = new TreeSet<>();

  /** The measured speed of the GPUs of its instances. */
  OptionalDouble copyGbPerS = OptionalDouble.empty();

  private int refusals;
  private int posted;
  private Instant now = BEGAN;
  private RunState state;
  private RunListener listener = (event, before, stepResult) -> {};

  /** Creates a run in {@code home} with an active controller that has not started anything. */
  ScriptedRun(Path home, String run, RunMeta meta) {
    this(home, run, meta, definition -> definition);
  }

  /** Creates the same run with another definition. */
  ScriptedRun(Path home, String run, RunMeta meta, UnaryOperator<RunDefinition> other) {
    folder = RunFolder.of(home, run);
    folder.create();
    lock = ControllerLock.tryAcquire(folder).orElseThrow();
    definition = other.apply(SmallTestJob.definition(run, meta));
    core = new RunCore(definition);
    journal =
        Journal.create(folder, definition, BEGAN, meta.rows(), (trial, trials) -> config(trial));
    state = RunState.confirmed(definition, BEGAN);
    post(new RunEvent.Began(BEGAN));
  }

  private static Map<String, Object> config(int trial) {
    Map<String, Object> config = new LinkedHashMap<>();
    config.put("lr", trial / 1000.0);
    config.put("batch", 32 * trial);
    return config;
  }

  RunFolder folder() {
    return folder;
  }

  RunDefinition definition() {
    return definition;
  }

  /** Passes all later events to {@code other}. */
  ScriptedRun notifying(RunListener other) {
    listener = other;
    return this;
  }

  /** Refuses the first {@code count} requests for lack of capacity. */
  ScriptedRun refusing(int count) {
    refusals = count;
    return this;
  }

  /** Lets the decision core act on the time at that second. */
  ScriptedRun ticked(int second) {
    post(new RunEvent.Ticked(BEGAN.plusSeconds(second)));
    return this;
  }

  /** Preempts the first instance at that second. */
  ScriptedRun preempt(int second) {
    String lease = definition.run() + "-1";
    cloud(new CloudEvent.Lost(lease, LossReason.PREEMPTED, "preempted", BEGAN.plusSeconds(second)));
    return this;
  }

  /** Sends a preemption notice for the first instance at that second. */
  ScriptedRun notice(int second) {
    cloud(
        new CloudEvent.Leaving(definition.run() + "-1", "in a minute", BEGAN.plusSeconds(second)));
    return this;
  }

  /** The engine loses contact to all running attempts now, or has it again. */
  ScriptedRun contact(boolean lost) {
    for (String attempt : attempts) {
      EngineEvent event =
          lost
              ? new EngineEvent.Unreachable(attempt, now.minusSeconds(9), now)
              : new EngineEvent.Reachable(attempt, now);
      post(new RunEvent.FromEngine(event));
    }
    return this;
  }

  private void post(RunEvent event) {
    queue.add(new Posted(event, posted++));
  }

  /** Runs until that many seconds after the start, or to the end of the run. */
  ScriptedRun until(int seconds) {
    Instant end = BEGAN.plusSeconds(seconds);
    while (state.phase() != RunState.Phase.FINISHED
        && !queue.isEmpty()
        && !queue.element().event().at().isAfter(end)) {
      RunEvent event = queue.remove().event();
      if (!(event instanceof RunEvent.FromEngine engine) || stillRuns(engine.event())) {
        take(event);
      }
    }
    if (state.phase() != RunState.Phase.FINISHED && state.began().isPresent()) {
      tick(end);
    }
    return this;
  }

  ScriptedRun toTheEnd() {
    return until(3600);
  }

  /** Requests the run to stop, as a user does. */
  ScriptedRun stop() {
    post(new RunEvent.StopAsked(RunOutcome.INTERRUPTED, false, "elastune stop", now));
    return this;
  }

  private void take(RunEvent event) {
    now = event.at();
    StepResult stepResult = core.step(state, event);
    List<Long> ids = journal.append(event, state, stepResult);
    listener.onStep(event, state, stepResult);
    state = stepResult.state();
    stepResult.commands().forEach(command -> command.match(this));
    journal.confirm(ids, now);
  }

  /** As in the runtime, an idle tick only updates the figures. */
  private void tick(Instant at) {
    now = at;
    state = core.step(state, new RunEvent.Ticked(at)).state();
    journal.progress(state);
  }

  private boolean stillRuns(EngineEvent event) {
    return event instanceof EngineEvent.Ended
        ? attempts.remove(event.attempt())
        : attempts.contains(event.attempt());
  }

  /** Posts an event of the cloud. */
  ScriptedRun cloud(CloudEvent event) {
    post(new RunEvent.FromCloud(event));
    return this;
  }

  private void ended(String attempt, int exit, int checkpoint, String message, int seconds) {
    OptionalInt newest = checkpoint == 0 ? OptionalInt.empty() : OptionalInt.of(checkpoint);
    Instant at = now.plusSeconds(seconds);
    post(new RunEvent.FromEngine(new EngineEvent.Ended(attempt, exit, newest, false, message, at)));
  }

  @Override
  public void request(Command.RequestInstance command) {
    String lease = command.lease();
    if (refusals > 0) {
      refusals--;
      cloud(new CloudEvent.Refused(lease, RefusalReason.CAPACITY, "sold out", now));
      return;
    }
    cloud(new CloudEvent.Running(lease, "i-" + lease, now.plusSeconds(2)));
    Node node = new Node("127.0.0.1", List.of("0", "1"));
    NodePreparation preparation = NodePreparation.UNKNOWN.withCopySpeed(copyGbPerS);
    cloud(new CloudEvent.Ready(lease, node, now.plusSeconds(5), preparation));
  }

  @Override
  public void release(Command.ReleaseInstance command) {
    cloud(new CloudEvent.Terminated(command.lease(), now.plusSeconds(1)));
  }

  @Override
  public void start(Command.StartAttempt command) {
    attempts.add(command.attempt());
    log(command);
    if (command.trial() == BAD_TRIAL) {
      ended(
          command.attempt(),
          1,
          0,
          "exit 1; last lines:\nTraceback\nValueError: lr is too small",
          4);
      return;
    }
    int seconds = 10 * (command.to() - command.from());
    Map<String, Double> metrics = Map.of("acc", command.trial() / 10.0 + command.to() / 100.0);
    Instant at = now.plusSeconds(seconds);
    post(
        new RunEvent.FromEngine(
            new EngineEvent.Reported(command.attempt(), command.to(), metrics, at)));
    ended(command.attempt(), 0, command.to(), "exit 0", seconds);
  }

  private void log(Command.StartAttempt command) {
    try {
      Path file = folder.trialLog(command.trial());
      String before = Files.exists(file) ? Files.readString(file) : "";
      Files.writeString(
          file, before + "attempt " + command.attempt() + "\nfrom unit " + command.from() + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void stop(Command.StopAttempt command) {
    ended(command.attempt(), 143, 0, "exit 143", 1);
  }

  @Override
  public void kill(Command.KillAttempt command) {
    ended(command.attempt(), 137, 0, "exit 137", 0);
  }

  @Override
  public void check(Command.CheckAttempt command) {
    // Not needed
  }

  @Override
  public void list(Command.ListInstances command) {
    List<InstanceInfo> none = List.of();
    cloud(new CloudEvent.Listed(definition.run(), none, now));
  }

  @Override
  public void adopt(Command.AdoptInstance command) {
    throw new IllegalStateException("resuming is not supported");
  }

  @Override
  public void adopt(Command.AdoptAttempt command) {
    throw new IllegalStateException("resuming is not supported");
  }

  @Override
  public void replan(Command.Replan command) {}

  @Override
  public void chooseMeasurement(Command.ChooseMeasurement command) {}

  @Override
  public void askBudget(Command.AskBudget command) {}

  @Override
  public void configure(Command.ConfigureTrials command) {}

  @Override
  public void finish(Command.Finish command) {}

  /** Stops the controller, whether the run has finished or not. */
  @Override
  public void close() {
    journal.close();
    lock.close();
  }
}
