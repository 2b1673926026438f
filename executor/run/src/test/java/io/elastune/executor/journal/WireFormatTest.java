package io.elastune.executor.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.elastune.core.job.Budget;
import io.elastune.core.job.Metric;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.RentedInstance;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.core.policy.FluidRule;
import io.elastune.core.policy.HermesRule;
import io.elastune.core.policy.Width;
import io.elastune.core.search.PresentGroup;
import io.elastune.core.search.RungProgress;
import io.elastune.core.search.RungState;
import io.elastune.core.search.SearchDecision;
import io.elastune.core.search.TrialResult;
import io.elastune.core.timeline.TrainedGroup;
import io.elastune.core.timeline.TrialPlace;
import io.elastune.executor.decision.WorkedExampleRun;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.decision.model.DecisionReason;
import io.elastune.executor.decision.model.FluidDefinition;
import io.elastune.executor.decision.model.GpuSlot;
import io.elastune.executor.decision.model.HangLimit;
import io.elastune.executor.decision.model.HermesDefinition;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.MeasurementChoice;
import io.elastune.executor.decision.model.ObservedLosses;
import io.elastune.executor.decision.model.Reason;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.ReplanReason;
import io.elastune.executor.decision.model.ReplanRequest;
import io.elastune.executor.decision.model.ReplanResponse;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunDefinitionBuilder;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.SamplerRule;
import io.elastune.executor.decision.model.TrialDuration;
import io.elastune.executor.decision.model.TrialState;
import io.elastune.executor.engine.CheckpointTimes;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.CloudImpairment;
import io.elastune.provisioner.InstanceInfo;
import io.elastune.provisioner.LossReason;
import io.elastune.provisioner.Node;
import io.elastune.provisioner.NodePreparation;
import io.elastune.provisioner.PreparationStep;
import io.elastune.provisioner.RefusalReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Pins what a journal stores. A change in {@code wire-format.txt} is a change of the format: it
 * needs another {@link Journal#FORMAT}, unless it adds a field that reads as empty where it is
 * missing. A new name of a state, a reason or an outcome changes nothing that is stored so far;
 * {@code -Delastune.docs.write=true} pins it with everything else.
 */
final class WireFormatTest {
  private static final Path PINNED =
      Path.of("src/test/resources/io/elastune/executor/journal/wire-format.txt");

  /** What may be stored without being pinned. */
  private static final Pattern NAME = Pattern.compile("word |reason |cause |outcome ");

  private static final Instant AT = Instant.parse("2026-11-20T06:00:00.123Z");
  private static final Allocation ALLOCATION = new Allocation("aws/x", 3, 2, 1, 1);
  private static final ReplanResponse.Prediction PREDICTION =
      new ReplanResponse.Prediction(400, 2.5, ReplanResponse.DeadlineOutlook.LIKELY, true);
  private static final ReplanResponse ANSWER =
      new ReplanResponse(
          Optional.of(PREDICTION),
          Optional.of(new ReplanResponse.Move(PREDICTION, Map.of("2", ALLOCATION))));
  private static final ReplanRequest QUESTION =
      new ReplanRequest(
          60,
          0.5,
          1.2,
          0.7,
          OptionalDouble.of(400),
          OptionalDouble.empty(),
          List.of(
              new ReplanRequest.ChainProgress(
                  "a",
                  new TrialGroup("a.1", 4, 0, 2),
                  90,
                  true,
                  false,
                  List.of(new TrialGroup("a.2", 2, 2, 4)),
                  Map.of("a.1", ALLOCATION),
                  List.of(new RentedInstance("aws/x", 1, 2, 3)))),
          List.of("aws/y"),
          Map.of("aws/x", 1.5),
          new TreeMap<>(Map.of("aws/x", new ObservedLosses(1, 2, 3.5, 4, 1))),
          Optional.empty());
  private static final ReplanRequest RUNG_QUESTION =
      new ReplanRequest(
          60,
          0.5,
          1.2,
          0.7,
          OptionalDouble.of(400),
          OptionalDouble.empty(),
          List.of(
              new ReplanRequest.ChainProgress(
                  "a",
                  new TrialGroup("a.1", 2, 0, 2),
                  90,
                  true,
                  true,
                  List.of(),
                  Map.of("a.1", ALLOCATION),
                  List.of(),
                  Optional.of(
                      new PresentGroup(
                          new TrialGroup("a.1", 2, 0, 2),
                          List.of(new PresentGroup.RunningTrial(1, 0, 2, 1, 12.5)),
                          List.of(0))),
                  Optional.of(
                      new TrainedGroup(
                          new TrialGroup("a.1", 2, 0, 2),
                          List.of(new TrialPlace(List.of(0), 2, 1, 1, OptionalDouble.of(1.5))))))),
          List.of(),
          Map.of(),
          new TreeMap<>(),
          Optional.of(
              new RungProgress(
                  new RungState(
                      RungState.Phase.CLOSING,
                      2,
                      List.of(
                          List.of(
                              List.of(new RungState.Entry(new TrialResult(1, 0.25), true)),
                              List.of())),
                      new TreeMap<>(Map.of(2, 0)),
                      new TreeSet<>(),
                      new TreeSet<>()),
                  List.of(
                      new RungProgress.IssuedTask(
                          new SearchDecision.Train(2, 0, 0, 1), 0, 1, 2, 1, 12.5)))));
  private static final Command.StartAttempt START =
      new Command.StartAttempt("7-1-1", 7, "1", 0, 2, List.of(new GpuSlot("l", 1)));

  private static final List<RunEvent> RUN_EVENTS =
      List.of(
          new RunEvent.Began(AT),
          new RunEvent.Resumed(3, true, AT),
          new RunEvent.Ticked(OptionalDouble.of(60.2), AT),
          new RunEvent.StopAsked(RunOutcome.INTERRUPTED, true, "Ctrl-C", AT),
          new RunEvent.Replanned(7, ANSWER, AT),
          new RunEvent.BudgetAnswered(2, true, "the user", AT),
          new RunEvent.Configured(3, List.of("{\"lr\":0.1}"), "", AT),
          new RunEvent.MeasurementChosen(
              1, new MeasurementChoice(Optional.of(ALLOCATION), false, 1.5, 0.1, 0.5), AT));

  private static final List<CloudEvent> CLOUD_EVENTS =
      List.of(
          new CloudEvent.Running("l", "i", AT),
          new CloudEvent.Ready(
              "l",
              new Node("127.0.0.1", List.of("0", "1"), List.of("2", "3")),
              AT,
              new NodePreparation(
                  Optional.of("us-east-1b"),
                  OptionalDouble.of(41),
                  OptionalDouble.of(30),
                  OptionalDouble.of(480.5))),
          new CloudEvent.Refused("l", RefusalReason.QUOTA, "no", AT),
          new CloudEvent.LaunchFailed("l", Optional.of("us-east-1a"), "not today [Odd]", AT),
          new CloudEvent.PreparationFailed("l", PreparationStep.IMAGE, "bad", AT),
          new CloudEvent.Lost("l", LossReason.PREEMPTED, "gone", AT),
          new CloudEvent.Priced("l", 0.41, AT),
          new CloudEvent.Leaving("l", "soon", AT),
          new CloudEvent.Terminated("l", Optional.of(AT), AT),
          new CloudEvent.Listed("r", List.of(new InstanceInfo("i", "l", "up")), AT),
          new CloudEvent.HealthChanged(
              "aws/r", CloudImpairment.LOGIN_EXPIRED, true, "expired", AT, AT));

  private static final CheckpointTimes CHECKPOINTS =
      new CheckpointTimes(OptionalLong.of(2_000), OptionalDouble.of(1.5), OptionalDouble.empty());

  private static final List<EngineEvent> ENGINE_EVENTS =
      List.of(
          new EngineEvent.Reported("a", 3, Map.of("acc", 0.5), true, AT),
          new EngineEvent.Active("a", 1.5, AT),
          new EngineEvent.Faulted("a", "invalid report", AT),
          new EngineEvent.Unreachable("a", AT.minusSeconds(9), AT),
          new EngineEvent.Reachable("a", AT),
          new EngineEvent.Ended("a", 137, OptionalInt.of(3), true, "killed", AT)
              .withCheckpoints(Optional.of(CHECKPOINTS))
              .withMemory(OptionalLong.of(3_100_000_000L))
              .withStart(AT.minusSeconds(60))
              .withDigests(Map.of(3, "9f86")));

  private static final List<Command> COMMANDS =
      List.of(
          new Command.RequestInstance("l", "aws/x"),
          new Command.AdoptInstance("l", "aws/x"),
          new Command.ReleaseInstance("l"),
          START,
          new Command.AdoptAttempt(START, 1),
          new Command.StopAttempt("7-1-1"),
          new Command.KillAttempt("7-1-1"),
          new Command.CheckAttempt("7-1-1"),
          new Command.ListInstances(),
          new Command.Replan(7, ReplanReason.of(ReplanReason.Cause.DEADLINE), QUESTION),
          new Command.Replan(8, ReplanReason.of(ReplanReason.Cause.MOVABLE), RUNG_QUESTION),
          new Command.AskBudget(2, 3, 2, 4),
          new Command.ConfigureTrials(3, List.of(8)),
          new Command.ChooseMeasurement(1, 0.5, 60),
          new Command.Finish(RunOutcome.BUDGET_REACHED, 0));

  private static final RunDefinition DEFINITION = definition();

  /** A definition whose maps have a fixed order. */
  private static RunDefinition definition() {
    RunDefinition some =
        WorkedExampleRun.replanned(
            WorkedExampleRun.plan(new int[][] {{1, 1}, {1, 1}, {1, 1}, {1, 1}}),
            Optional.of(new Budget(45, 0.8, Budget.OnReach.STOP)),
            OptionalDouble.of(400));
    return RunDefinitionBuilder.builder(some)
        .offers(new TreeMap<>(some.offers()))
        .forecasts(Map.of("1", new RunDefinition.Forecast(60, 0.5)))
        .hangLimits(
            Map.of(
                "1",
                new HangLimit(
                    Optional.of(new TrialDuration(10, 4, 30, 0.01, 0.02)),
                    OptionalDouble.of(60),
                    OptionalDouble.empty())))
        .build();
  }

  private static Stream<RunEvent> events() {
    return Stream.of(
            RUN_EVENTS.stream(),
            CLOUD_EVENTS.stream().map(RunEvent.FromCloud::new),
            ENGINE_EVENTS.stream().map(RunEvent.FromEngine::new))
        .flatMap(some -> some);
  }

  private static List<String> stored() {
    List<String> lines = new ArrayList<>();
    events().forEach(e -> lines.add("event " + EventJson.kind(e) + " " + EventJson.body(e)));
    for (Command command : COMMANDS) {
      String name = WireNames.command(command.getClass());
      lines.add("command " + name + " " + EventJson.json(command));
    }
    for (Class<? extends Enum<?>> type : words()) {
      for (Enum<?> constant : type.getEnumConstants()) {
        lines.add("word " + WireNames.word(constant));
      }
    }
    for (ReasonCode code : ReasonCode.values()) {
      lines.add("reason " + code.wireName() + " " + code.details() + " " + code.repeated());
    }
    for (ReplanReason.Cause cause : ReplanReason.Cause.values()) {
      lines.add("cause " + EventJson.json(cause));
    }
    for (RunMeta.Kind kind : RunMeta.Kind.values()) {
      lines.add("kind " + kind.wireName());
    }
    for (RunOutcome outcome : RunOutcome.values()) {
      lines.add(
          "outcome "
              + outcome.exitCode()
              + " "
              + EventJson.json(outcome)
              + " "
              + outcome.wireName());
    }
    lines.add("definition " + EventJson.json(DEFINITION));
    return lines;
  }

  private static List<Class<? extends Enum<?>>> words() {
    return List.of(
        RunState.Phase.class,
        LeaseState.Phase.class,
        TrialState.Status.class,
        Metric.Goal.class,
        DecisionKind.class);
  }

  @Test
  @DisplayName("Everything that a journal stores looks as this format says")
  void storedTextIsPinned() throws IOException {
    List<String> stored = stored();
    if (Boolean.getBoolean("elastune.docs.write")) {
      Files.write(PINNED, stored);
    }
    List<String> pinned = Files.readAllLines(PINNED);
    assertThat(stored).containsSubsequence(pinned);
    pinned.forEach(stored::remove);
    assertThat(stored).allMatch(line -> NAME.matcher(line).lookingAt());
  }

  @Test
  void everyEventHasAnExample() {
    Stream<Class<?>> all =
        Stream.of(RunEvent.class, CloudEvent.class, EngineEvent.class)
            .flatMap(family -> Arrays.stream(family.getPermittedSubclasses()));
    assertThat(
            Stream.of(RUN_EVENTS, CLOUD_EVENTS, ENGINE_EVENTS)
                .flatMap(List::stream)
                .<Class<?>>map(Object::getClass))
        .containsExactlyInAnyOrderElementsOf(
            all.filter(type -> type != RunEvent.FromCloud.class)
                .filter(type -> type != RunEvent.FromEngine.class)
                .toList());
  }

  @Test
  void everyCommandHasAnExample() {
    assertThat(COMMANDS.stream().<Class<?>>map(Object::getClass).distinct())
        .containsExactlyInAnyOrder(Command.class.getPermittedSubclasses());
  }

  @Test
  void namesAreUnique() {
    assertThat(events().map(EventJson::kind)).doesNotHaveDuplicates();
    assertThat(Stream.of(Command.class.getPermittedSubclasses()).map(WireNames::command))
        .doesNotHaveDuplicates();
    for (Class<? extends Enum<?>> type : words()) {
      assertThat(Arrays.stream(type.getEnumConstants()).map(WireNames::word))
          .doesNotHaveDuplicates();
    }
    assertThat(
            Stream.<Reason>concat(
                    Arrays.stream(ReasonCode.values()), Arrays.stream(RunOutcome.values()))
                .map(Reason::wireName))
        .doesNotHaveDuplicates();
  }

  @Test
  void eventsReadBackEqual() {
    assertThat(events())
        .allSatisfy(
            event ->
                assertThat(EventJson.read(EventJson.kind(event), EventJson.body(event)))
                    .isEqualTo(event));
  }

  @Test
  void resumptionsOfEarlierVersionsRetryNothing() {
    assertThat(EventJson.read("Resumed", "{\"unconfirmed\":3,\"at\":\"" + AT + "\"}"))
        .isEqualTo(new RunEvent.Resumed(3, AT));
  }

  @Test
  void profilesOfEarlierVersionsHaveNoMeasuredCheckpointsAndErrors() {
    String body = EventJson.json(DEFINITION);
    String earlier =
        body.replaceAll(",\"faults\":\\{(?:[^{}]|\\{[^{}]*\\})*\\}", "")
            .replaceFirst(",\"checkpoint\":\\{[^}]*\\}", "")
            .replace(",\"numbers\":[]", "")
            .replace(",\"rankCorrelation\":null", "")
            .replace(",\"load\":null", "");

    assertThat(earlier).isNotEqualTo(body).doesNotContain("numbers", "faults");
    assertThat(EventJson.readDefinition(earlier)).isEqualTo(EventJson.readDefinition(body));
  }

  @Test
  void searchesOfRungsOfEarlierVersionsKeepTheirPlans() {
    String body = EventJson.json(DEFINITION);
    String earlier = body.replace(",\"seed\":1,\"rungs\":null", ",\"seed\":1");

    assertThat(earlier).isNotEqualTo(body);
    assertThat(EventJson.readDefinition(earlier).rungChanges()).isEmpty();
    RunDefinition.Planning planning = DEFINITION.planning().orElseThrow();
    RunDefinition changing =
        RunDefinitionBuilder.builder(DEFINITION)
            .planning(
                Optional.of(
                    new RunDefinition.Planning(
                        planning.profiles(),
                        planning.gpusPerTrial(),
                        planning.limits(),
                        planning.seed(),
                        Optional.of(RunDefinition.Planning.RungChanges.PLACES),
                        Optional.empty())))
            .build();
    assertThat(EventJson.readDefinition(EventJson.json(changing)).rungChanges())
        .isEqualTo(changing.rungChanges());
  }

  @Test
  void runsOfEarlierVersionsKeepTheirRulesOfRequests() {
    String body = EventJson.json(DEFINITION);
    String earlier = body.replace(",\"requests\":\"CHANGES\"", "");

    assertThat(EventJson.readDefinition(body).requestsAfterChanges()).isTrue();
    assertThat(EventJson.readDefinition(earlier).requestsAfterChanges()).isFalse();
  }

  @Test
  void definitionsOfEarlierVersionsHaveNoPolicies() {
    String body = EventJson.json(DEFINITION);
    String earlier =
        body.replace(
            ",\"fluid\":null,\"hyperSched\":null,\"hermes\":null,\"patience\":null,\"failures\":null"
                + ",\"clusterProfile\":null,\"keepAlive\":false",
            "");

    assertThat(earlier).doesNotContain("hermes");
    assertThat(EventJson.readDefinition(earlier)).isEqualTo(EventJson.readDefinition(body));
  }

  @Test
  void onlyChoicesForAccuracyHaveAnError() {
    MeasurementChoice accurate = MeasurementChoice.NONE.forAccuracy(ALLOCATION, 0.25, 118);
    String earlier = JournalJson.text(accurate).replace(",\"leftS\":118.0", "");

    assertThat(JournalJson.read(JournalJson.text(accurate), MeasurementChoice.class))
        .isEqualTo(accurate);
    assertThat(JournalJson.text(MeasurementChoice.NONE)).doesNotContain("error", "leftS");
    assertThat(earlier).contains("error").doesNotContain("leftS");
    assertThat(JournalJson.read(earlier, MeasurementChoice.class).leftS()).isEmpty();
  }

  @Test
  void allocationsOfEarlierVersionsHaveNoSpare() {
    String earlier = JournalJson.text(ALLOCATION).replace(",\"spare\":1", "");

    assertThat(earlier).doesNotContain("spare");
    assertThat(JournalJson.read(earlier, Allocation.class))
        .isEqualTo(new Allocation("aws/x", 3, 2, 1));
  }

  @Test
  void definitionsWithFluidReadBackEqual() {
    FluidRule rule = new FluidRule(true, new TreeSet<>(List.of(1, 2)), 2, 12.5);
    RunDefinition some =
        DEFINITION.withFluid(
            Optional.of(
                new FluidDefinition(
                    rule,
                    List.of(new FluidDefinition.WidthTime(Width.shared(2), 48)),
                    10,
                    2.5,
                    List.of(0.5, 1.5))));
    String body = EventJson.json(some);

    assertThat(EventJson.readDefinition(body).fluid()).isEqualTo(some.fluid());

    String earlier = body.replace(",\"factors\":[0.5,1.5]", "");
    assertThat(earlier).hasSizeLessThan(body.length());
    FluidDefinition fluid = EventJson.readDefinition(earlier).fluid().orElseThrow();
    assertThat(fluid.factor(2)).isEqualTo(1);
  }

  /** Those of earlier versions have one bracket and no time. */
  @Test
  void definitionsWithRungsReadBackEqual() {
    RungRule rule =
        new RungRule(
            List.of(1, 2),
            9,
            2,
            RungRule.Variant.PROMOTION,
            true,
            OptionalInt.empty(),
            OptionalInt.of(1),
            false);
    for (RungRule one :
        List.of(
            rule,
            rule.withBrackets(2)
                .withTime(Optional.of(new RungRule.TimeLimit(OptionalDouble.of(90), 2.5))),
            rule.withTime(Optional.of(new RungRule.TimeLimit(OptionalDouble.empty(), 2.5))))) {
      assertThat(EventJson.readDefinition(EventJson.json(withRungs(one))).workload().rungs())
          .hasValue(one);
    }
    String body = EventJson.json(withRungs(rule));
    String earlier = body.replace(",\"brackets\":1,\"time\":null", "");

    assertThat(earlier).isNotEqualTo(body);
    assertThat(EventJson.readDefinition(earlier).workload().rungs()).hasValue(rule);
  }

  private static RunDefinition withRungs(RungRule rule) {
    Allocation phase = new Allocation(DEFINITION.offers().keySet().iterator().next(), 1, 1, 1);
    return RunDefinitionBuilder.builder(DEFINITION)
        .workload(Workload.of(rule))
        .plan(new Plan(false, Map.of(Workload.OPEN, phase, Workload.CLOSING, phase)))
        .budget(Optional.empty())
        .budgetLeftUsd(OptionalDouble.empty())
        .deadlineS(OptionalDouble.empty())
        .build();
  }

  @Test
  void definitionsWithHermesReadBackEqual() {
    RunDefinition some =
        DEFINITION.withHermes(
            Optional.of(new HermesDefinition(new HermesRule(3, 2, true), 30, 10, 2.5)));

    assertThat(EventJson.readDefinition(EventJson.json(some)).hermes()).isEqualTo(some.hermes());
  }

  @Test
  void samplersOfEarlierVersionsAreAskedForWholeGroups() {
    RunDefinition some = DEFINITION.withSampler(Optional.of(new SamplerRule(2, true, true)));
    String body = EventJson.json(some);
    String earlier = body.replace(",\"oneByOne\":true", "");

    assertThat(EventJson.readDefinition(body).sampler()).isEqualTo(some.sampler());
    assertThat(earlier).isNotEqualTo(body);
    assertThat(EventJson.readDefinition(earlier).sampler())
        .hasValue(new SamplerRule(2, true, false));
  }

  @Test
  void failedSetupsOfEarlierVersionsHaveNoStep() {
    RunEvent read =
        EventJson.read(
            "SetupFailed", "{\"lease\":\"l\",\"message\":\"bad\",\"at\":\"" + AT + "\"}");

    assertThat(read)
        .isEqualTo(
            new RunEvent.FromCloud(
                new CloudEvent.PreparationFailed("l", PreparationStep.UNKNOWN, "bad", AT)));
  }

  @Test
  void endsOfEarlierVersionsHaveNoTimesOfCheckpointsAndNoMemory() {
    String body =
        "{\"attempt\":\"a\",\"exitCode\":0,\"checkpoint\":3,\"torn\":false,\"message\":\"\",\"at\":\""
            + AT
            + "\",\"lost\":true}";

    assertThat(EventJson.read("Ended", body))
        .isEqualTo(
            new RunEvent.FromEngine(
                new EngineEvent.Ended("a", 0, OptionalInt.of(3), false, "", AT, true)));
  }

  @Test
  void ordinaryTicksAreStoredAsBefore() {
    RunEvent tick = new RunEvent.Ticked(AT);

    assertThat(EventJson.body(tick)).isEqualTo("{\"at\":\"" + AT + "\"}");
    assertThat(EventJson.read("Ticked", EventJson.body(tick))).isEqualTo(tick);
  }

  @Test
  void nodesOfEarlierVersionsHaveNoDevices() {
    String body =
        "{\"lease\":\"l\",\"node\":{\"address\":\"here\",\"slots\":[\"0\"]},\"at\":\"" + AT + "\"}";

    assertThat(EventJson.read("Ready", body))
        .isEqualTo(
            new RunEvent.FromCloud(new CloudEvent.Ready("l", new Node("here", List.of("0")), AT)));
  }

  @ParameterizedTest
  @EnumSource(DecisionKind.class)
  void decisionsReadBackEqual(DecisionKind kind) {
    for (String subject : List.of("", "a.1")) {
      WireNames.KindAndSubject decision = new WireNames.KindAndSubject(kind, subject);
      assertThat(WireNames.KindAndSubject.of(decision.text())).isEqualTo(decision);
    }
  }

  @ParameterizedTest
  @EnumSource(ReasonCode.class)
  void reasonsReadBackEqual(ReasonCode code) {
    List<String> details = new ArrayList<>(code.details());
    details.addAll(code.repeated());
    details.addAll(code.repeated());
    ReasonColumns stored =
        new ReasonColumns(WireNames.reason(code.wireName()), EventJson.json(details));
    assertThat(stored.reason()).isEqualTo(new DecisionReason(code, details));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "[]", "[\"a\", \"b\"]"})
  void wrongDetailsAreDamage(String details) {
    assertThatExceptionOfType(JournalException.class)
        .isThrownBy(() -> new ReasonColumns(ReasonCode.STOPPED_BY, details).reason())
        .matches(JournalException::isCorrupt);
  }

  @Test
  void unknownReasonIsDamage() {
    assertThatExceptionOfType(JournalException.class)
        .isThrownBy(() -> WireNames.reason("unknown"))
        .matches(JournalException::isCorrupt);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "unknown", "budgeted"})
  void unknownDecisionsAreDamage(String text) {
    assertThatExceptionOfType(JournalException.class)
        .isThrownBy(() -> WireNames.KindAndSubject.of(text))
        .matches(JournalException::isCorrupt);
  }
}
