package io.elastune.core.job;

import io.elastune.core.Check;
import io.elastune.core.billing.RunningCosts;
import io.elastune.core.plan.Workload;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A tuning job: what to search, on what, by when, for how much. At least one of deadline and budget
 * is given.
 *
 * @param confidence probability with which deadline and budget are each to be kept
 * @param deadMan silence after which nodes end themselves
 */
public record Job(
    String name,
    Optional<Deadline> deadline,
    Optional<Budget> budget,
    double confidence,
    Search search,
    TrialSpec trial,
    Resources resources,
    ProfilePolicy profile,
    Duration deadMan,
    DeadlineMiss deadlineMiss,
    List<Notification> notifications) {
  private static final Pattern NAME = Pattern.compile("[a-z0-9-]{1,40}");

  /** What happens once the deadline has passed. */
  public enum DeadlineMiss {
    FINISH("finish"),
    STOP("stop");

    private final String word;

    DeadlineMiss(String word) {
      this.word = word;
    }

    /** The word used in files. */
    public String word() {
      return word;
    }
  }

  public Job {
    Check.that(
        NAME.matcher(name).matches(),
        "name must be 1 to 40 of a-z, 0-9 and '-', not '" + name + "'");
    Check.that(
        deadline.isPresent() || budget.isPresent(),
        "at least one of deadline and budget is needed");
    Check.that(
        confidence > 0 && confidence < 1, "confidence must be between 0 and 1, not " + confidence);
    notifications = List.copyOf(notifications);
  }

  /** What is paid by the hour while {@code workload} is trained: controller and checkpoints. */
  public RunningCosts runningCosts(Workload workload) {
    return new RunningCosts(
        resources.controllerUsdPerHour(), trial.checkpoints().usdPerHour(workload.trials()));
  }
}
