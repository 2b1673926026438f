package io.elastune.executor.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.job.Budget;
import io.elastune.core.time.Seconds;
import io.elastune.executor.decision.forecast.Ledger;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.StepResult;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.NodeExpiryLimit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Nodes shut themselves down within the budget under every limit that they may have received,
 * whatever the clocks of the controllers show, which reports arrive, and when controllers stop.
 */
class WrongClocksTest {
  private static final int RUNS = 4000;
  private static final double BUDGET_USD = 1.5;
  private static final double USD_PER_S = WorkedExampleRun.OFFER.usdPerHour() / 3600;
  private static final Duration DEAD_MAN = Duration.ofMinutes(15);
  private static final double CLOCK_ERROR_S = 120;
  private static final double ROUNDING_S = 1e-6;
  private static final Instant START = VirtualEnvironment.START;

  private static final RunDefinition DEFINITION =
      WorkedExampleRun.definition(
          WorkedExampleRun.plan(new int[][] {{4, 1}, {2, 1}, {2, 2}, {2, 4}}),
          Optional.of(new Budget(BUDGET_USD, 0.8, Budget.OnReach.STOP)),
          OptionalDouble.empty());

  @Test
  void nodesStayWithinTheBudget() {
    double total = 0;
    for (long seed = 0; seed < RUNS; seed++) {
      double usd = new World(seed).billedUsd();
      assertThat(usd).as("seed %d", seed).isLessThanOrEqualTo(BUDGET_USD);
      total += usd;
    }
    assertThat(total / RUNS).as("most of the budget is used").isGreaterThan(0.75 * BUDGET_USD);
  }

  /** One node. Times are seconds of the cloud's clock. */
  private static final class SimulatedNode {
    final double startS;
    NodeExpiryLimit limit = NodeExpiryLimit.NONE;
    double endS = Double.POSITIVE_INFINITY;
    boolean startReported;
    boolean endReported;

    SimulatedNode(double startS) {
      this.startS = startS;
    }

    boolean hasStarted(double nowS) {
      return startS <= nowS;
    }

    boolean hasEnded(double nowS) {
      return endS <= nowS;
    }

    /** Lets it shut itself down if its time is over. */
    void pass(String lease, double nowS) {
      double latestS = Seconds.between(START, limit.expiryOf(lease, at(startS)));
      if (hasStarted(nowS) && endS > nowS && latestS <= nowS) {
        endS = Math.max(startS, latestS);
      }
    }

    /** Gives it another limit, which may be over already. */
    void receive(String lease, NodeExpiryLimit other, double nowS) {
      limit = other;
      double latestS = Seconds.between(START, limit.expiryOf(lease, at(startS)));
      if (hasStarted(nowS) && endS > nowS && latestS <= nowS) {
        endS = nowS;
      }
    }

    double usd() {
      return endS > startS + ROUNDING_S
          ? Math.max(60, Math.ceil(endS - startS - ROUNDING_S)) * USD_PER_S
          : 0;
    }
  }

  /** A cloud, and controllers whose commands to release are lost. */
  private static final class World {
    private final Random random;
    private final RunCore core = new RunCore(DEFINITION);
    private final Map<String, SimulatedNode> nodes = new LinkedHashMap<>();
    private RunState state;
    private double nowS;
    private double clockS;

    World(long seed) {
      random = new Random(seed * 0x9E3779B97F4A7C15L);
      clockS = clockError();
      state = RunState.confirmed(DEFINITION, at(clockS));
      step(new RunEvent.Began(at(clockS)));
    }

    private double clockError() {
      return (2 * random.nextDouble() - 1) * CLOCK_ERROR_S;
    }

    double billedUsd() {
      int steps = 5 + random.nextInt(40);
      double pauseS = 2 + random.nextInt(20);
      for (int i = 0; i < steps; i++) {
        advance(random.nextDouble() * pauseS);
        if (random.nextInt(10) == 0) {
          advance(random.nextDouble() * 120);
          clockS = clockError();
          step(new RunEvent.Resumed(0, at(nowS + clockS)));
        }
        step(new RunEvent.Ticked(at(nowS + clockS)));
        event().ifPresent(event -> step(new RunEvent.FromCloud(event)));
      }
      advance(10_000);
      return nodes.values().stream().mapToDouble(SimulatedNode::usd).sum();
    }

    private void advance(double seconds) {
      nowS += seconds;
      nodes.forEach((lease, node) -> node.pass(lease, nowS));
    }

    /** Returns a report that the cloud may send now. */
    private Optional<CloudEvent> event() {
      List<String> leases = new ArrayList<>(nodes.keySet());
      String lease = leases.get(random.nextInt(leases.size()));
      SimulatedNode node = nodes.get(lease);
      if (!node.hasStarted(nowS) && random.nextInt(4) == 0) {
        node.endS = node.startS; // it is never launched
      }
      if (node.hasEnded(nowS) && !node.endReported) {
        node.endReported = true;
        Optional<Instant> running =
            Optional.of(at(node.startS)).filter(start -> node.endS > node.startS);
        return Optional.of(new CloudEvent.Terminated(lease, running, at(node.endS)));
      }
      if (node.hasStarted(nowS) && node.endS > node.startS && !node.startReported) {
        node.startReported = true;
        return Optional.of(new CloudEvent.Running(lease, "i-" + lease, at(node.startS)));
      }
      return Optional.empty();
    }

    private void step(RunEvent event) {
      StepResult result = core.step(state, event);
      state = result.state();
      NodeExpiryLimit limit = Ledger.of(DEFINITION, state).lifeLimit(DEAD_MAN);
      List<String> requested =
          result.commands().stream()
              .filter(Command.RequestInstance.class::isInstance)
              .map(command -> ((Command.RequestInstance) command).lease())
              .toList();
      if (!requested.isEmpty() || random.nextInt(3) > 0) {
        nodes.forEach((lease, node) -> node.receive(lease, limit, nowS));
      }
      for (String lease : requested) {
        SimulatedNode node = new SimulatedNode(nowS + random.nextDouble() * 60);
        node.limit = limit;
        nodes.put(lease, node);
      }
    }
  }

  private static Instant at(double seconds) {
    return Seconds.after(START, seconds);
  }
}
