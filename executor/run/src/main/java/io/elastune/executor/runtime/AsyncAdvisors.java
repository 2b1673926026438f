package io.elastune.executor.runtime;

import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.ReplanResponse;
import io.elastune.executor.decision.model.RunEvent;
import java.time.InstantSource;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls the advisors on their own threads, so that they never block the run loop. */
final class AsyncAdvisors implements CommandExecutor.AdvisorRequests, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AsyncAdvisors.class);

  private final Advisors advisors;
  private final InstantSource time;
  private final Consumer<RunEvent> answers;
  private final ExecutorService planner = thread("elastune-replan");
  private final ExecutorService budgetExecutor = thread("elastune-budget");

  AsyncAdvisors(Advisors advisors, InstantSource time, Consumer<RunEvent> answers) {
    this.advisors = advisors;
    this.time = time;
    this.answers = answers;
  }

  private static ExecutorService thread(String name) {
    return Executors.newSingleThreadExecutor(
        task -> {
          Thread thread = new Thread(task, name);
          thread.setDaemon(true);
          return thread;
        });
  }

  @Override
  public void replan(Command.Replan command) {
    planner.execute(
        () -> {
          ReplanResponse replanResponse = answer(command);
          answers.accept(new RunEvent.Replanned(command.number(), replanResponse, time.instant()));
        });
  }

  /**
   * A planner failure is an internal error, but it must not end the run: the current plan stays in
   * effect.
   */
  private ReplanResponse answer(Command.Replan command) {
    try {
      return advisors
          .replans()
          .map(one -> one.replan(command.question()))
          .orElse(ReplanResponse.NONE);
    } catch (RuntimeException e) {
      LOG.error("Re-planning failed; the run keeps its current plan", e);
      return ReplanResponse.NONE;
    }
  }

  @Override
  public void askBudget(Command.AskBudget command) {
    if (advisors.budgetApprover().isEmpty()) {
      answered(command, false, "no terminal available");
      return;
    }
    budgetExecutor.execute(
        () -> {
          try {
            boolean allowed = advisors.budgetApprover().get().approves(command);
            answered(command, allowed, "the user");
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the run ended first
          }
        });
  }

  private void answered(Command.AskBudget command, boolean allowed, String who) {
    answers.accept(new RunEvent.BudgetAnswered(command.number(), allowed, who, time.instant()));
  }

  @Override
  public void close() {
    planner.shutdownNow();
    budgetExecutor.shutdownNow();
  }
}
