package io.elastune.executor.ray;

import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.engine.Engine;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.executor.engine.EngineEvent.Ended;
import io.elastune.executor.engine.EngineEvent.Reported;
import io.elastune.executor.ray.RayKillsIT.Part;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A small controller: it runs trials in groups of units, repeats failed attempts from their last
 * checkpoint, and records every violated guarantee of the engine. Thread-safe.
 */
final class KilledTrials implements Consumer<EngineEvent> {
  private static final int GROUP = 40;

  /** Creates the attempt of a trial from one unit to another. */
  interface Specification {
    AttemptSpec of(String attempt, int from, int to);
  }

  private static final class Trial {
    private final int number;
    private String lease;
    private AttemptSpec attempt;
    private int tries;
    private int reported;
    private int highest;
    private boolean ended;
    private boolean progressed;
    private boolean mayFail;
    private boolean mayBeUnstarted;

    Trial(int number, String lease) {
      this.number = number;
      this.lease = lease;
    }
  }

  private final Specification specification;
  private final Map<Integer, Trial> trials = new LinkedHashMap<>();
  private final List<String> violations = new ArrayList<>();
  private final Set<String> ending = new TreeSet<>();
  private final Map<Part, Integer> kills = new EnumMap<>(Part.class);
  private Supplier<Engine> engine =
      () -> {
        throw new IllegalStateException("not started");
      };
  private final List<String> history = new ArrayList<>();
  private final long began = System.nanoTime();
  private boolean finishing;
  private int reports;
  private int failures;
  private int repeated;
  private int unreported;

  KilledTrials(Specification specification) {
    this.specification = specification;
  }

  synchronized void start(Supplier<Engine> running, List<String> leases) {
    engine = running;
    for (String lease : leases) {
      Trial trial = new Trial(trials.size() + 1, lease);
      trials.put(trial.number, trial);
      attempt(trial, 0);
    }
  }

  private void attempt(Trial trial, int from) {
    trial.reported = from;
    trial.mayFail = ending.contains(trial.lease);
    trial.mayBeUnstarted = false;
    String id = trial.number + "-" + (from / GROUP + 1) + "-" + ++trial.tries;
    int to = (from / GROUP + 1) * GROUP;
    trial.attempt = RayTrials.onLease(specification.of(id, from, to), trial.lease);
    engine.get().start(trial.attempt);
  }

  @Override
  public synchronized void accept(EngineEvent event) {
    Trial trial = trials.get(Integer.parseInt(event.attempt().split("-", 2)[0]));
    if (!event.attempt().equals(trial.attempt.attempt()) || trial.ended) {
      violations.add("after the end: " + event);
    } else if (event instanceof Reported report) {
      report(trial, report);
    } else if (event instanceof Ended end) {
      end(trial, end);
    }
  }

  private void report(Trial trial, Reported report) {
    reports++;
    if (report.unit() != trial.reported + 1) {
      violations.add("after unit " + trial.reported + ": " + report);
    }
    trial.reported = report.unit();
    if (report.unit() <= trial.highest) {
      repeated++;
    }
    trial.highest = Math.max(trial.highest, report.unit());
    trial.progressed = true;
  }

  private void end(Trial trial, Ended end) {
    int from = trial.attempt.from();
    int checkpoint = end.checkpoint().orElse(from);
    boolean failed = end.exitCode() != 0;
    if (!failed && (checkpoint != trial.attempt.to() || trial.reported != checkpoint)) {
      violations.add("reported " + trial.reported + ": " + end);
    }
    boolean unstarted = trial.mayBeUnstarted && trial.reported == from;
    if (failed && !trial.mayFail && !unstarted) {
      violations.add("no kill explains: " + end);
    }
    // What a shim or a node has not sent before its end is lost with it.
    unreported += Math.max(0, checkpoint - trial.reported);
    if (checkpoint < from || checkpoint > trial.reported + (trial.mayFail ? 1 : 0)) {
      violations.add("reported " + trial.reported + ": " + end);
    }
    failures += failed ? 1 : 0;
    if (failed) {
      record(trial.attempt.attempt() + " on " + trial.lease + ": " + end);
    }
    if (finishing && !failed) {
      trial.ended = true;
    } else {
      attempt(trial, checkpoint);
    }
  }

  /** A part is about to be killed. */
  synchronized void kill(Part part) {
    kills.merge(part, 1, Integer::sum);
    record("kill of " + part);
    for (Trial trial : trials.values()) {
      trial.mayFail |= part == Part.SHIM;
      trial.mayBeUnstarted |= part == Part.CONTROLLER;
    }
  }

  private void record(String what) {
    history.add("%.1f s: %s".formatted((System.nanoTime() - began) / 1e9, what));
  }

  /** Returns all kills and failed attempts with their times. */
  synchronized String history() {
    return String.join("\n", history);
  }

  /** The node of a lease is about to end. */
  synchronized void mayFail(String lost) {
    record("loss of the node of " + lost);
    ending.add(lost);
    trials.values().forEach(trial -> trial.mayFail |= trial.lease.equals(lost));
  }

  /** The node of a lease was replaced; {@code reported} if the cloud reports that. */
  synchronized void replace(String lost, String next, boolean reported) {
    for (Trial trial : trials.values()) {
      if (trial.lease.equals(lost)) {
        trial.lease = next;
        trial.mayFail = true;
        if (reported && !trial.ended) {
          engine.get().kill(trial.attempt.attempt());
        }
      }
    }
  }

  /** Another engine continues all attempts. */
  synchronized void adopt() {
    for (Trial trial : trials.values()) {
      if (!trial.ended) {
        engine.get().adopt(trial.attempt, trial.reported);
      }
    }
  }

  synchronized void expectProgress() {
    trials.values().forEach(trial -> trial.progressed = trial.ended);
  }

  synchronized boolean haveProgressed() {
    return trials.values().stream().allMatch(trial -> trial.progressed);
  }

  /** The trials end with their present groups. */
  synchronized void finish() {
    finishing = true;
  }

  synchronized boolean haveEnded() {
    return trials.values().stream().allMatch(trial -> trial.ended);
  }

  synchronized Set<String> leases() {
    Set<String> leases = new TreeSet<>();
    trials.values().forEach(trial -> leases.add(trial.lease));
    return leases;
  }

  synchronized Collection<String> violations() {
    return List.copyOf(violations);
  }

  synchronized String summary() {
    return "%s; %d reports, %d failed attempts, %d units trained again, %d not reported"
        .formatted(kills, reports, failures, repeated, unreported);
  }

  @Override
  public synchronized String toString() {
    StringBuilder text = new StringBuilder(summary());
    for (Trial trial : trials.values()) {
      text.append("; %s on %s at %d".formatted(trial.attempt, trial.lease, trial.reported));
    }
    return text + "; " + violations;
  }
}
