package io.elastune.executor.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elastune.core.job.Metric;
import io.elastune.core.plan.Plan;
import io.elastune.executor.decision.RunCore;
import io.elastune.executor.decision.WorkedExampleRun;
import io.elastune.executor.decision.model.DecisionReason;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.StepResult;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.executor.runtime.ControllerLock;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.Node;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JournalTest {
  private static final Instant AT = Instant.parse("2026-11-20T06:00:00.123Z");

  private static final OptionalDouble NONE = OptionalDouble.empty();
  private static final Plan ONE_INSTANCE =
      WorkedExampleRun.plan(new int[][] {{1, 1}, {1, 1}, {1, 1}, {1, 1}});
  private static final Map<String, String> META =
      RunMeta.builder()
          .kind(RunMeta.Kind.TUNE)
          .version("0.9")
          .jobFile("job.yaml")
          .job("")
          .plan("{}")
          .unit("epoch")
          .metric(new Metric("acc", Metric.Goal.MAXIMIZE))
          .budgetUsd(NONE)
          .notional(true)
          .profilingUsd(0)
          .jobFolder("/jobs")
          .checkpoints("/checkpoints")
          .build()
          .rows();

  @TempDir Path home;

  @Test
  void definitionReadsBackEqual() {
    RunDefinition definition = WorkedExampleRun.replanned(ONE_INSTANCE, Optional.empty(), NONE);

    assertThat(EventJson.readDefinition(EventJson.json(definition))).isEqualTo(definition);
  }

  @Test
  void replayGivesTheSameState() {
    RunDefinition definition =
        WorkedExampleRun.definition(
            WorkedExampleRun.plan(new int[][] {{1, 1}, {1, 1}, {1, 1}, {1, 1}}));
    RunFolder folder = RunFolder.of(home, "test-1");
    folder.create();
    RunState state = RunState.confirmed(definition, AT);
    List<RunEvent> events =
        List.of(
            new RunEvent.Began(AT.plusMillis(3)), // after the confirmation
            cloud(new CloudEvent.Running("test-1-1", "i", AT.plusSeconds(15))),
            cloud(
                new CloudEvent.Ready(
                    "test-1-1",
                    new Node("127.0.0.1", List.of("0", "1", "2", "3")),
                    AT.plusSeconds(75))),
            engine(new EngineEvent.Reported("1-1-1", 1, Map.of("acc", 0.5), AT.plusSeconds(100))));
    try (Journal journal =
        Journal.create(folder, definition, AT, META, (trial, trials) -> Map.of("lr", 0.1))) {
      for (RunEvent event : events) {
        StepResult stepResult = new RunCore(definition).step(state, event);
        List<Long> ids = journal.append(event, state, stepResult);
        assertThat(ids).hasSameSizeAs(stepResult.commands());
        journal.confirm(ids, AT);
        state = stepResult.state();
      }
    }

    ReplayedRun past = ReplayedRun.read(folder);
    assertThat(past.definition()).isEqualTo(definition);
    assertThat(past.state()).isEqualTo(state);
    assertThat(past.state().attempts()).hasSize(4);
    assertThat(past.unconfirmed()).isZero();
  }

  /** The open file has everything that was written. */
  @Test
  void deletedJournalIsWrittenAgain() throws IOException {
    RunDefinition definition = WorkedExampleRun.definition(ONE_INSTANCE);
    RunFolder folder = RunFolder.of(home, "test-1");
    folder.create();
    RunState first = RunState.confirmed(definition, AT);
    RunEvent began = new RunEvent.Began(AT.plusMillis(3));
    StepResult one = new RunCore(definition).step(first, began);
    RunEvent ready = cloud(new CloudEvent.Running("test-1-1", "i", AT.plusSeconds(15)));
    StepResult two = new RunCore(definition).step(one.state(), ready);
    Journal journal =
        Journal.create(folder, definition, AT, META, (trial, trials) -> Map.of("lr", 0.1));
    journal.confirm(journal.append(began, first, one), AT);
    assertThat(journal.restore()).as("nothing is lost").isEmpty();
    Files.delete(folder.journal());
    for (Path file : folder.journalFiles()) {
      Files.deleteIfExists(file);
    }
    try (Journal restored = journal.restore().orElseThrow()) {
      restored.confirm(restored.append(ready, one.state(), two), AT);
    }

    assertThat(ReplayedRun.read(folder).state()).isEqualTo(two.state());
    assertThat(ReplayedRun.read(folder).unconfirmed()).isZero();
  }

  @Test
  void journalOfARemovedFolderIsLost() throws IOException {
    RunFolder folder = RunFolder.of(home, "test-1");
    folder.create();
    try (Journal journal =
        Journal.create(
            folder,
            WorkedExampleRun.definition(ONE_INSTANCE),
            AT,
            META,
            (trial, trials) -> Map.of())) {
      try (Stream<Path> files = Files.walk(folder.path())) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }

      assertThat(journal.restore()).isEmpty();
    }
  }

  /** Ticks that change nothing are not written; what is due after them is decided in the replay. */
  @Test
  void runWithRepeatedRequestsCanBeResumed() {
    RunDefinition definition = WorkedExampleRun.definition(ONE_INSTANCE);
    RunFolder folder = RunFolder.of(home, "test-1");
    folder.create();
    RunState state = RunState.confirmed(definition, AT);
    int asked = 0;
    try (Journal journal =
        Journal.create(folder, definition, AT, META, (trial, trials) -> Map.of())) {
      state = write(journal, definition, state, new RunEvent.Began(AT), true);
      for (int second = 1; second < 100; second++) {
        RunEvent tick = new RunEvent.Ticked(AT.plusSeconds(second));
        StepResult stepResult = new RunCore(definition).step(state, tick);
        boolean idle = stepResult.commands().isEmpty();
        asked += idle ? 0 : 1;
        state = idle ? stepResult.state() : write(journal, definition, state, tick, true);
      }
    }

    assertThat(asked).isEqualTo(3);
    assertThat(ReplayedRun.read(folder).state().at(state.now())).isEqualTo(state);
  }

  @Test
  void emptyJournalHasTheConfirmationTime() {
    RunDefinition definition = WorkedExampleRun.definition(ONE_INSTANCE);
    RunFolder folder = RunFolder.of(home, "test-1");
    folder.create();
    Journal.create(folder, definition, AT, META, (trial, trials) -> Map.of()).close();

    RunState state = ReplayedRun.read(folder).state();
    RunEvent resumed = new RunEvent.Resumed(0, AT.plusSeconds(600));

    assertThat(new RunCore(definition).step(state, resumed).state().began()).contains(AT);
  }

  @Test
  void resumedRunUsesTheNewDefinition() {
    RunDefinition before = WorkedExampleRun.definition(ONE_INSTANCE);
    RunDefinition after = before.withLimits(before.budget(), OptionalDouble.of(0.01), NONE);
    RunFolder folder = RunFolder.of(home, "test-1");
    folder.create();
    RunState state = RunState.confirmed(before, AT);
    try (Journal journal = Journal.create(folder, before, AT, META, (trial, trials) -> Map.of())) {
      state = write(journal, before, state, new RunEvent.Began(AT), false);
    }
    ReplayedRun past = ReplayedRun.read(folder);
    try (Journal journal = Journal.reopen(folder, after, META, (trial, trials) -> Map.of())) {
      state = write(journal, after, state, new RunEvent.Resumed(past.unconfirmed(), AT), true);
      state =
          write(journal, after, state, cloud(new CloudEvent.Running("test-1-1", "i", AT)), true);
      Node node = new Node("127.0.0.1", List.of("0", "0", "0", "0"));
      state = write(journal, after, state, cloud(new CloudEvent.Ready("test-1-1", node, AT)), true);
    }

    ReplayedRun again = ReplayedRun.read(folder);
    assertThat(past.unconfirmed()).isEqualTo(1);
    assertThat(again.unconfirmed()).isZero();
    assertThat(again.definition()).isEqualTo(after);
    assertThat(again.state()).isEqualTo(state);
    assertThat(again.state().ending().exitCode()).isEqualTo(11);
    try (RunReader reader = RunReader.open(folder)) {
      assertThat(reader.controllers()).hasSize(2);
    }
  }

  @Test
  void olderFormatIsRefused() throws Exception {
    RunFolder folder = written(WorkedExampleRun.definition(ONE_INSTANCE));
    change(folder, "PRAGMA user_version = 2");

    assertThatThrownBy(() -> ReplayedRun.read(folder))
        .isInstanceOf(CannotResumeException.class)
        .hasMessage(
            "its journal has format 2, written by Elastune 0.9; this version resumes format 6"
                + " only");
  }

  @ParameterizedTest
  @ValueSource(strings = {"body = replace(body, '\"', '')", "kind = 'Begann'"})
  void corruptEventIsDamage(String change) throws Exception {
    RunFolder folder = written(WorkedExampleRun.definition(ONE_INSTANCE));
    change(folder, "UPDATE event SET " + change);

    assertThatExceptionOfType(JournalException.class)
        .isThrownBy(() -> ReplayedRun.read(folder))
        .matches(JournalException::isCorrupt);
  }

  @Test
  void differentDecisionIsRefused() throws Exception {
    RunFolder folder = written(WorkedExampleRun.definition(ONE_INSTANCE));
    change(folder, "UPDATE command SET body = '{}'");

    assertThatThrownBy(() -> ReplayedRun.read(folder))
        .isInstanceOf(CannotResumeException.class)
        .hasMessageContaining("decided differently by this version (event 1)");
  }

  @Test
  void fieldAddedLaterMayBeMissing() throws Exception {
    RunFolder folder = written(WorkedExampleRun.definition(ONE_INSTANCE));
    change(folder, "UPDATE definition SET body = replace(body, '\"maxFailedTrials\":null,', '')");

    assertThat(ReplayedRun.read(folder).definition())
        .isEqualTo(WorkedExampleRun.definition(ONE_INSTANCE));
  }

  @Test
  void unknownDefinitionIsRefused() throws Exception {
    RunFolder folder = written(WorkedExampleRun.definition(ONE_INSTANCE));
    change(folder, "UPDATE definition SET body = replace(body, 'maxFailures', 'mostFailures')");

    assertThatThrownBy(() -> ReplayedRun.read(folder))
        .isInstanceOf(CannotResumeException.class)
        .hasMessageContaining("cannot be read by this version");
  }

  private RunFolder written(RunDefinition definition) {
    RunFolder folder = RunFolder.of(home, "test-1");
    folder.create();
    try (Journal journal =
        Journal.create(folder, definition, AT, META, (trial, trials) -> Map.of())) {
      write(journal, definition, RunState.confirmed(definition, AT), new RunEvent.Began(AT), true);
    }
    return folder;
  }

  private static RunState write(
      Journal journal, RunDefinition by, RunState state, RunEvent event, boolean confirmed) {
    StepResult stepResult = new RunCore(by).step(state, event);
    List<Long> ids = journal.append(event, state, stepResult);
    if (confirmed) {
      journal.confirm(ids, AT);
    }
    return stepResult.state();
  }

  private static void change(RunFolder folder, String sql) throws Exception {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + folder.journal());
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Test
  void reasonsAreStoredWithTheirDetails() {
    RunDefinition definition = WorkedExampleRun.definition(ONE_INSTANCE);
    RunFolder folder = written(definition);
    DecisionReason stopped = DecisionReason.of(ReasonCode.STOPPED_BY, "Ctrl-C, \"twice\"");
    try (RunReader reader = RunReader.open(folder)) {
      assertThat(reader.progress().reason()).isEmpty();
    }
    try (Journal journal = Journal.reopen(folder, definition, META, (trial, trials) -> Map.of())) {
      RunEvent event =
          new RunEvent.StopAsked(
              RunOutcome.INTERRUPTED, false, stopped.details().get(0), AT.plusSeconds(1));
      write(journal, definition, ReplayedRun.read(folder).state(), event, true);
    }

    try (RunReader reader = RunReader.open(folder)) {
      assertThat(reader.progress().reason()).contains(stopped);
      assertThat(reader.decisions())
          .extracting(DecisionRow::reason)
          .contains(stopped)
          .contains(
              DecisionReason.of(
                  ReasonCode.GROUP_STARTED, "1", ONE_INSTANCE.allocations().get("1").offer()));
    }
  }

  @Test
  void progressUpdatesTheCost() {
    RunDefinition definition =
        WorkedExampleRun.definition(
            WorkedExampleRun.plan(new int[][] {{1, 1}, {1, 1}, {1, 1}, {1, 1}}));
    RunFolder folder = RunFolder.of(home, "test-1");
    folder.create();
    RunCore core = new RunCore(definition);
    RunState state = RunState.confirmed(definition, AT);
    try (Journal journal =
        Journal.create(folder, definition, AT, Map.of(), (trial, trials) -> Map.of())) {
      for (RunEvent event :
          List.of(new RunEvent.Began(AT), cloud(new CloudEvent.Running("test-1-1", "i", AT)))) {
        StepResult stepResult = core.step(state, event);
        journal.append(event, state, stepResult);
        state = stepResult.state();
      }
      journal.progress(core.step(state, new RunEvent.Ticked(AT.plusSeconds(3600))).state());
    }

    try (RunReader reader = RunReader.open(folder)) {
      assertThat(reader.progress().spentUsd()).isEqualTo(12.24);
      assertThat(reader.leases().get(0).usd()).isEqualTo(12.24);
      assertThat(reader.groups().get(0).usd()).isEqualTo(12.24);
    }
  }

  @Test
  void oneControllerPerRun() {
    RunFolder folder = RunFolder.of(home, "test-1");
    folder.create();
    assertThat(ControllerLock.isHeld(folder)).isFalse();
    try (ControllerLock lock = ControllerLock.tryAcquire(folder).orElseThrow()) {
      assertThat(lock).isNotNull();
      assertThat(ControllerLock.isHeld(folder)).isTrue();
      assertThat(ControllerLock.tryAcquire(folder)).isEmpty();
    }
    assertThat(ControllerLock.isHeld(folder)).isFalse();
  }

  private static RunEvent cloud(CloudEvent event) {
    return new RunEvent.FromCloud(event);
  }

  private static RunEvent engine(EngineEvent event) {
    return new RunEvent.FromEngine(event);
  }
}
