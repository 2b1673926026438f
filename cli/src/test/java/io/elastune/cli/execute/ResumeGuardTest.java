package io.elastune.cli.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.ErrorDetail;
import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.inspect.SmallTestJob;
import io.elastune.core.job.Budget;
import io.elastune.executor.decision.forecast.ResumeFeasibility;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.executor.decision.model.RunState;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the errors for runs that would stop immediately if they were resumed. */
class ResumeGuardTest {
  private static final String RUN = "small-20261123-abcd";
  private static final RunDefinition DEFINITION =
      SmallTestJob.definition(RUN, SmallTestJob.meta())
          .withLimits(
              Optional.of(new Budget(2, 0.8, Budget.OnReach.STOP)),
              OptionalDouble.of(1.95),
              OptionalDouble.of(5400));

  private static void refuse(ResumeFeasibility resumeFeasibility) {
    new ResumeGuard(DEFINITION, RunState.initial(DEFINITION)).checkResumable(resumeFeasibility);
  }

  private static ErrorDetail problem(ResumeFeasibility resumeFeasibility, ExitCode exit) {
    CommandFailure failure =
        catchThrowableOfType(CommandFailure.class, () -> ResumeGuardTest.refuse(resumeFeasibility));
    assertThat(failure.exit()).isEqualTo(exit);
    assertThat(failure.problems()).hasSize(1);
    return failure.problems().get(0);
  }

  @ParameterizedTest
  @EnumSource(
      value = ResumeFeasibility.class,
      names = {"CAN_RESUME", "DONE"})
  void acceptsRunsThatContinueOrAreDone(ResumeFeasibility resumeFeasibility) {
    assertThatCode(() -> refuse(resumeFeasibility)).doesNotThrowAnyException();
  }

  @Test
  void spentBudgetNamesAmountsAndOption() {
    ErrorDetail errorDetail =
        problem(ResumeFeasibility.BUDGET_SPENT, ExitCode.of(RunOutcome.BUDGET_REACHED));

    assertThat(errorDetail.message())
        .isEqualTo(RUN + " cannot be resumed: it has spent $0.00 of its budget of $1.95");
    assertThat(errorDetail.hint()).hasValue("raise it: elastune resume " + RUN + " --budget USD");
  }

  @Test
  void passedDeadlineNamesTimeAndOption() {
    ErrorDetail errorDetail =
        problem(ResumeFeasibility.DEADLINE_PASSED, ExitCode.of(RunOutcome.DEADLINE_MISSED));

    assertThat(errorDetail.message())
        .contains("its deadline (1h30m after its first start) has passed", "deadline_miss: stop");
    assertThat(errorDetail.hint().orElseThrow())
        .endsWith("elastune resume " + RUN + " --deadline WHEN");
  }

  @Test
  void noTrialLeftNamesLogs() {
    ErrorDetail errorDetail =
        problem(ResumeFeasibility.NO_TRIALS, ExitCode.of(RunOutcome.TRIALS_FAILED));

    assertThat(errorDetail.message()).endsWith("no trial is left to resume");
    assertThat(errorDetail.hint().orElseThrow()).contains("elastune logs " + RUN);
  }
}
