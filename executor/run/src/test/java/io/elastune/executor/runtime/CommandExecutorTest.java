package io.elastune.executor.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.job.Budget;
import io.elastune.executor.decision.RunCore;
import io.elastune.executor.decision.WorkedExampleRun;
import io.elastune.executor.decision.forecast.Ledger;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.engine.Engine;
import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.NodeExpiryLimit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** Tests when the expiry limit is sent to the nodes. */
class CommandExecutorTest {
  private static final Instant START = Instant.parse("2026-11-20T06:00:00Z");
  private static final Duration DEAD_MAN = Duration.ofMinutes(15);
  private static final double USD_PER_MINUTE = 12.24 / 60;
  private static final String LEASE = "test-1-1";

  private final List<NodeExpiryLimit> limits = new ArrayList<>();
  private final CommandExecutor commandExecutor =
      new CommandExecutor(
          "test-1",
          new RecordingCloud(),
          new NoEngine(),
          DEAD_MAN,
          (lease, offer) -> {
            throw new AssertionError("unexpected request");
          },
          command -> {
            throw new AssertionError("unexpected start");
          },
          new NoCounsel());
  private RunDefinition definition = definition(20);
  private RunState state = RunState.initial(definition);

  private static RunDefinition definition(double minutes) {
    Budget budget = new Budget(minutes * USD_PER_MINUTE, 0.8, Budget.OnReach.STOP);
    return WorkedExampleRun.definition(
        WorkedExampleRun.plan(new int[][] {{1, 1}, {1, 1}, {1, 1}, {1, 1}}),
        Optional.of(budget),
        OptionalDouble.empty());
  }

  private void begin(double minutes) {
    definition = definition(minutes);
    state = RunState.initial(definition);
    process(new RunEvent.Began(START));
  }

  private void process(RunEvent event) {
    state = new RunCore(definition).step(state, event).state();
    commandExecutor.limitNodeExpiry(Ledger.of(definition, state));
  }

  @Test
  void noLimitIsSentWithinALargeBudget() {
    begin(60);

    assertThat(limits).isEmpty();
  }

  /** A controller may renew the expiry once more and then fail. */
  @Test
  void limitIsSentTwoDeadManTimesAhead() {
    begin(20);

    assertThat(limits).hasSize(1);
    assertThat(limits.get(0).starting()).containsOnlyKeys(LEASE);
    assertThat(limits.get(0).expiryOf(LEASE, START))
        .isBetween(START.plus(Duration.ofMinutes(19)), START.plus(Duration.ofMinutes(20)));
  }

  @Test
  void onlySignificantChangesAreSent() {
    begin(20);
    process(new RunEvent.Ticked(START.plusSeconds(5)));
    process(new RunEvent.FromCloud(new CloudEvent.Running(LEASE, "i-1", START.plusSeconds(2))));
    assertThat(limits).hasSize(1);

    process(new RunEvent.FromCloud(new CloudEvent.Running(LEASE, "i-1", START.plusSeconds(60))));

    assertThat(limits).hasSize(2);
    assertThat(limits.get(1).starting()).isEmpty();
    assertThat(limits.get(1).latest()).isAfter(limits.get(0).latest().plusSeconds(55));
  }

  private final class RecordingCloud implements Cloud {
    @Override
    public void request(LeaseRequest request) {}

    @Override
    public void adopt(LeaseRequest request) {}

    @Override
    public void release(String lease) {}

    @Override
    public void list(String run) {}

    @Override
    public void limitNodeExpiry(NodeExpiryLimit limit) {
      limits.add(limit);
    }

    @Override
    public void close() {}
  }

  private static final class NoEngine implements Engine {
    @Override
    public void start(AttemptSpec attempt) {}

    @Override
    public void adopt(AttemptSpec attempt, int reported) {}

    @Override
    public void stop(String attempt) {}

    @Override
    public void stop(String attempt, Duration grace) {}

    @Override
    public void kill(String attempt) {}

    @Override
    public void check(String attempt) {}

    @Override
    public void close() {}
  }

  private static final class NoCounsel implements CommandExecutor.AdvisorRequests {
    @Override
    public void replan(Command.Replan command) {}

    @Override
    public void chooseMeasurement(Command.ChooseMeasurement command) {}

    @Override
    public void askBudget(Command.AskBudget command) {}

    @Override
    public void configure(Command.ConfigureTrials command) {}
  }
}
