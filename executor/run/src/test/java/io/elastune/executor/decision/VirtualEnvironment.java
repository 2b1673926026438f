package io.elastune.executor.decision;

import io.elastune.core.offer.Offer;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.JournalNote;
import io.elastune.executor.decision.model.MeasurementChoice;
import io.elastune.executor.decision.model.ReplanRequest;
import io.elastune.executor.decision.model.ReplanResponse;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.StepResult;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.InstanceInfo;
import io.elastune.provisioner.Node;
import io.elastune.provisioner.PreparationFailure;
import io.elastune.provisioner.RefusalReason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/** A cloud and an engine in virtual time, with the delays of the offers and the trial behavior. */
public final class VirtualEnvironment implements Command.Visitor {
  private static final double ALWAYS_S = 1e6;
  static final Instant START = Instant.parse("2026-11-20T06:00:00Z");

  /** The script of an attempt: events at seconds from its start. */
  public interface AttemptResponder {
    void play(Command.StartAttempt attempt, Script script);
  }

  /** Schedules an attempt's events. */
  public final class Script {
    private final String attempt;
    private final Instant start;

    Script(String attempt, Instant start) {
      this.attempt = attempt;
      this.start = start;
    }

    Script report(double atS, int unit, double metric) {
      return report(atS, unit, Map.of("acc", metric));
    }

    Script report(double atS, int unit, Map<String, Double> metrics) {
      Instant at = after(start, atS);
      post(new RunEvent.FromEngine(new EngineEvent.Reported(attempt, unit, metrics, at)));
      return this;
    }

    /** Reports that the trial needs no more training. */
    Script done(double atS, int unit, Map<String, Double> metrics) {
      Instant at = after(start, atS);
      post(new RunEvent.FromEngine(new EngineEvent.Reported(attempt, unit, metrics, true, at)));
      return this;
    }

    /** The engine loses contact; it reports that at {@code atS}. */
    Script unreachable(double atS, double sinceS) {
      Instant since = after(start, sinceS);
      post(new RunEvent.FromEngine(new EngineEvent.Unreachable(attempt, since, after(start, atS))));
      return this;
    }

    Script reachable(double atS) {
      post(new RunEvent.FromEngine(new EngineEvent.Reachable(attempt, after(start, atS))));
      return this;
    }

    /** Fails with this message: an exit code other than 0, or 0 without the report at the end. */
    Script fail(double atS, String message) {
      int exitCode = message.startsWith("exited 0") ? 0 : 1;
      post(
          new RunEvent.FromEngine(
              new EngineEvent.Ended(
                  attempt, exitCode, OptionalInt.empty(), false, message, after(start, atS))));
      return this;
    }

    public Script end(double atS, int exitCode, int checkpoint, boolean torn) {
      Instant at = after(start, atS);
      OptionalInt newest = checkpoint == 0 ? OptionalInt.empty() : OptionalInt.of(checkpoint);
      post(
          new RunEvent.FromEngine(
              new EngineEvent.Ended(attempt, exitCode, newest, torn, "exit " + exitCode, at)));
      return this;
    }
  }

  /** At most {@code most} instances of an offer, until some time. */
  private record Shortage(int most, Instant until, RefusalReason reason) {}

  private record Posted(RunEvent event, long order) {}

  final RunDefinition definition;
  private final RunCore core;
  private final AttemptResponder attemptResponder;
  private final PriorityQueue<Posted> queue =
      new PriorityQueue<>(
          Comparator.comparing((Posted posted) -> posted.event().at())
              .thenComparingLong(Posted::order));
  private final Set<String> alive = new HashSet<>();
  private final Set<String> attempts = new HashSet<>();
  private final Map<String, Shortage> shortages = new HashMap<>();
  private Function<ReplanRequest, ReplanResponse> planner = replanRequest -> ReplanResponse.NONE;
  private Function<String, Optional<PreparationFailure>> failures = lease -> Optional.empty();
  private long order;
  private boolean deaf;
  private boolean stuck;
  private boolean generous;
  private Function<Command.ChooseMeasurement, MeasurementChoice> measurements =
      command -> MeasurementChoice.NONE;
  private double answeredInS = 5;
  private double silenceS = ALWAYS_S;
  private final Map<String, Instant> starts = new HashMap<>();
  final List<RunEvent> told = new ArrayList<>();
  final List<Command> commands = new ArrayList<>();
  final List<JournalNote> notes = new ArrayList<>();
  Consumer<Command> watcher = command -> {};
  Consumer<Command.ConfigureTrials> sampler = command -> {};
  public RunState state;
  Instant now = START;

  public VirtualEnvironment(RunDefinition definition, AttemptResponder attemptResponder) {
    this.definition = definition;
    this.core = new RunCore(definition);
    this.attemptResponder = attemptResponder;
    this.state = RunState.initial(definition);
    post(new RunEvent.Began(START));
  }

  static Instant after(Instant start, double seconds) {
    return start.plusNanos(Math.round(seconds * 1e9));
  }

  void post(RunEvent event) {
    queue.add(new Posted(event, order++));
  }

  /** Ticks every second for that time. */
  public VirtualEnvironment ticking(int seconds) {
    for (int i = 1; i <= seconds; i++) {
      post(new RunEvent.Ticked(after(START, i)));
    }
    return this;
  }

  /** Trials ignore a request to stop. */
  VirtualEnvironment deaf() {
    deaf = true;
    return this;
  }

  /** Attempts never end, whatever is requested. */
  VirtualEnvironment stuck() {
    stuck = true;
    return this;
  }

  /** Runs until the run is finished or no event is left. */
  public VirtualEnvironment run() {
    while (!queue.isEmpty() && state.phase() != RunState.Phase.FINISHED) {
      RunEvent event = queue.remove().event();
      if (event instanceof RunEvent.FromEngine engine && !stillRuns(engine.event())) {
        continue;
      }
      take(event);
    }
    return this;
  }

  /** Resumes a finished run, and runs it again until it is finished. */
  void resume(RunEvent.Resumed event) {
    queue.clear();
    take(event);
    run();
  }

  private void take(RunEvent event) {
    now = event.at();
    told.add(event);
    StepResult stepResult = core.step(state, event);
    state = stepResult.state();
    notes.addAll(stepResult.notes());
    for (Command command : stepResult.commands()) {
      commands.add(command);
      command.match(this);
      watcher.accept(command);
    }
  }

  private boolean stillRuns(EngineEvent event) {
    if (event instanceof EngineEvent.Ended) {
      return attempts.remove(event.attempt());
    }
    return attempts.contains(event.attempt());
  }

  boolean isAlive(String lease) {
    return alive.contains(lease);
  }

  /** Nodes fail as this function of their lease says. */
  VirtualEnvironment failing(Function<String, Optional<PreparationFailure>> other) {
    failures = other;
    return this;
  }

  /** Uses this planner, which responds after 0.01 s. */
  VirtualEnvironment planning(Function<ReplanRequest, ReplanResponse> other) {
    planner = other;
    return this;
  }

  /** Grants every requested budget. */
  /** Sets what a profiling run measures after each group. */
  VirtualEnvironment choosing(Function<Command.ChooseMeasurement, MeasurementChoice> others) {
    measurements = others;
    return this;
  }

  VirtualEnvironment generous() {
    generous = true;
    return this;
  }

  /** The user answers after {@code seconds} seconds. */
  VirtualEnvironment answeringIn(double seconds) {
    answeredInS = seconds;
    return this;
  }

  /** The engine answers no check. */
  VirtualEnvironment unanswering() {
    silenceS = Double.NaN;
    return this;
  }

  /** When the attempt was started. */
  Instant attemptStart(String attempt) {
    Instant at = starts.get(attempt);
    if (at == null) {
      throw new AssertionError("attempt " + attempt + " never started");
    }
    return at;
  }

  /** Attempts show signs of life until now; without this, only reports are signs of life. */
  VirtualEnvironment active() {
    silenceS = 0;
    return this;
  }

  /** Makes the offer unavailable. */
  VirtualEnvironment without(String offer) {
    return limited(offer, 0, ALWAYS_S, RefusalReason.CAPACITY);
  }

  /** Refuses more than {@code most} instances of the offer for the first {@code untilS} seconds. */
  VirtualEnvironment limited(String offer, int most, double untilS, RefusalReason reason) {
    shortages.put(offer, new Shortage(most, after(START, untilS), reason));
    return this;
  }

  @Override
  public void request(Command.RequestInstance command) {
    Shortage shortage = shortages.get(command.offer());
    if (shortage != null && now.isBefore(shortage.until()) && alive.size() >= shortage.most()) {
      post(
          new RunEvent.FromCloud(
              new CloudEvent.Refused(command.lease(), shortage.reason(), "sold out", now)));
      return;
    }
    Offer offer = definition.offer(command.offer());
    Instant running = after(now, offer.queueS().mean());
    Instant ready = after(running, offer.bootS().mean());
    alive.add(command.lease());
    post(new RunEvent.FromCloud(new CloudEvent.Running(command.lease(), "i", running)));
    Node node = new Node("127.0.0.1", Collections.nCopies(offer.gpus(), "0"));
    post(
        new RunEvent.FromCloud(
            failures
                .apply(command.lease())
                .<CloudEvent>map(failure -> failure.event(command.lease(), ready))
                .orElseGet(() -> new CloudEvent.Ready(command.lease(), node, ready))));
  }

  @Override
  public void release(Command.ReleaseInstance command) {
    alive.remove(command.lease());
    post(new RunEvent.FromCloud(new CloudEvent.Terminated(command.lease(), now)));
  }

  @Override
  public void start(Command.StartAttempt command) {
    attempts.add(command.attempt());
    starts.put(command.attempt(), now);
    attemptResponder.play(command, new Script(command.attempt(), now));
  }

  @Override
  public void stop(Command.StopAttempt command) {
    if (!deaf && !stuck) {
      new Script(command.attempt(), now).end(1, 143, 0, false);
    }
  }

  @Override
  public void kill(Command.KillAttempt command) {
    if (!stuck) {
      new Script(command.attempt(), now).end(0, 137, 0, false);
    }
  }

  @Override
  public void check(Command.CheckAttempt command) {
    if (!Double.isNaN(silenceS)) {
      post(new RunEvent.FromEngine(new EngineEvent.Active(command.attempt(), silenceS, now)));
    }
  }

  @Override
  public void list(Command.ListInstances command) {
    List<InstanceInfo> left =
        alive.stream().map(lease -> new InstanceInfo("i", lease, "running")).toList();
    post(new RunEvent.FromCloud(new CloudEvent.Listed(definition.run(), left, now)));
  }

  @Override
  public void adopt(Command.AdoptInstance command) {
    boolean isKept =
        state.leases().values().stream()
            .anyMatch(
                lease ->
                    lease.lease().equals(command.lease()) && lease.held() && !lease.isLeaving());
    if (isKept && alive.contains(command.lease())) {
      throw new IllegalStateException("nothing is resumed here");
    }
  }

  @Override
  public void adopt(Command.AdoptAttempt command) {
    throw new IllegalStateException("nothing is resumed here");
  }

  @Override
  public void replan(Command.Replan command) {
    ReplanResponse replanResponse = planner.apply(command.question());
    post(new RunEvent.Replanned(command.number(), replanResponse, after(now, 0.01)));
  }

  @Override
  public void chooseMeasurement(Command.ChooseMeasurement command) {
    post(
        new RunEvent.MeasurementChosen(
            command.group(), measurements.apply(command), after(now, answeredInS)));
  }

  @Override
  public void askBudget(Command.AskBudget command) {
    post(
        new RunEvent.BudgetAnswered(
            command.number(), generous, "the user", after(now, answeredInS)));
  }

  @Override
  public void configure(Command.ConfigureTrials command) {
    sampler.accept(command);
  }

  /** Answers a request for configurations {@code inS} seconds from now. */
  void propose(Command.ConfigureTrials command, List<String> configs, String error, double inS) {
    post(new RunEvent.Configured(command.request(), configs, error, after(now, inS)));
  }

  @Override
  public void finish(Command.Finish command) {}
}
