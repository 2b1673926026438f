package io.elastune.cli.page;

import io.elastune.cli.runs.RunRecord;
import io.elastune.core.time.Seconds;
import io.elastune.executor.journal.RunReader;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What a run's journal says of every moment. Times are told in seconds since the run began.
 *
 * @param attempts in order of their start
 * @param reports in the order in which they came
 */
record History(RunRecord run, List<RunReader.Attempt> attempts, List<RunReader.Report> reports) {
  History {
    attempts = List.copyOf(attempts);
    reports = List.copyOf(reports);
  }

  /** Reads what {@code run} does not hold yet. */
  static History of(RunRecord run) {
    try (RunReader reader = RunReader.open(run.folder())) {
      return new History(run, reader.attempts(), reader.reports());
    }
  }

  /** Seconds from the run's beginning to {@code moment}. */
  double at(Instant moment) {
    return Seconds.between(run.progress().began().orElse(moment), moment);
  }

  /** The same; a moment that has not come yet is the latest that the journal knows of. */
  double at(Optional<Instant> moment) {
    return at(moment.orElse(run.progress().at()));
  }

  /** The latest moment that anything is known of. */
  double end() {
    double end = run.leases().stream().mapToDouble(this::goneAt).max().orElse(0);
    double began = run.progress().began().isPresent() && !run.finished() ? at(Optional.empty()) : 0;
    return Math.max(1, Math.max(Math.max(end, began), run.completionS().orElse(0)));
  }

  /** When a lease was gone; now, if it is not. */
  double goneAt(RunReader.Lease lease) {
    return at(lease.terminated());
  }
}
