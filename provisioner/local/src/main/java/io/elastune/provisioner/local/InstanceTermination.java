package io.elastune.provisioner.local;

import io.elastune.provisioner.process.EventLoop;
import io.elastune.provisioner.process.OwnedProcesses;
import io.elastune.provisioner.process.OwnedProcesses.Signal;
import io.elastune.provisioner.process.ProcessEnd;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits until an instance has no processes, and kills those that do not exit in time. An instance
 * with a process of this user that does not end is never reported as terminated. One of another
 * user cannot be ended: it is named, here and in the state of the run.
 */
final class InstanceTermination {
  private static final Logger LOG = LoggerFactory.getLogger(InstanceTermination.class);
  private static final Duration STEP = Duration.ofMillis(50);
  private static final int WARN_AFTER_STEPS = 200;

  private final EventLoop loop;
  private final Supplier<OwnedProcesses> family;
  private final int patienceSteps;
  private final Runnable done;
  private final ProcessEnd end = new ProcessEnd();
  private int steps;

  private InstanceTermination(
      EventLoop loop, Supplier<OwnedProcesses> family, Duration patience, Runnable done) {
    this.loop = loop;
    this.family = family;
    this.patienceSteps = (int) patience.dividedBy(STEP);
    this.done = done;
  }

  /** Waits {@code patience} for the processes to exit before killing them. */
  static void await(
      EventLoop loop, Supplier<OwnedProcesses> family, Duration patience, Runnable done) {
    new InstanceTermination(loop, family, patience, done).step();
  }

  /** Sends SIGTERM to all processes, and SIGKILL to the remaining ones {@code grace} later. */
  static void terminate(
      EventLoop loop, Supplier<OwnedProcesses> family, Duration grace, Runnable done) {
    family.get().signal(Signal.TERM);
    await(loop, family, grace, done);
  }

  private void step() {
    OwnedProcesses now = family.get();
    Optional<List<String>> left = end.remaining(now);
    if (left.isPresent()) {
      left.get().forEach(process -> LOG.warn("{} cannot be ended, and still runs", process));
      done.run();
      return;
    }
    if (steps >= patienceSteps) {
      end.kill(now);
    }
    steps++;
    if (steps == WARN_AFTER_STEPS) {
      LOG.warn("{} {} still has running processes: {}", now.variable(), now.value(), now.members());
    }
    loop.schedule(STEP, this::step);
  }
}
