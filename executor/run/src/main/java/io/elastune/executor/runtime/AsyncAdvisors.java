package io.elastune.executor.runtime;

import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.MeasurementChoice;
import io.elastune.executor.decision.model.ReplanResponse;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.sampler.ConfigurationSampler;
import io.elastune.executor.sampler.SamplerException;
import io.elastune.executor.sampler.SamplerRequest;
import java.time.InstantSource;
import java.util.List;
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
  private final ExecutorService samplerExecutor = thread("elastune-sampler");
  private final SamplerRequests samplerRequests;

  /** Adds to requests for configurations, and to their answers, what the run has tried. */
  interface SamplerRequests {
    /** Returns the request for configurations with the results so far. */
    SamplerRequest proposal(Command.ConfigureTrials command);

    /**
     * Returns the configurations that a sampler proposed, with others in place of those tried
     * before. Any thread may call it, for one command after the other.
     *
     * @throws IllegalArgumentException if one is not a point of the search space
     */
    List<String> accepted(Command.ConfigureTrials command, List<String> proposals);
  }

  /**
   * Creates the threads of the advisors.
   *
   * @param samplerRequests adds the results so far to a request for configurations
   */
  AsyncAdvisors(
      Advisors advisors,
      InstantSource time,
      Consumer<RunEvent> answers,
      SamplerRequests samplerRequests) {
    this.advisors = advisors;
    this.samplerRequests = samplerRequests;
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
    Runnable task =
        () -> {
          ReplanResponse replanResponse = answer(command);
          answers.accept(new RunEvent.Replanned(command.number(), replanResponse, time.instant()));
        };
    if (advisors.waits()) {
      task.run();
    } else {
      planner.execute(task);
    }
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
    } catch (RuntimeException | Error e) { // the run waits for an answer
      LOG.error("Re-planning failed; the run keeps its current plan", e);
      return ReplanResponse.NONE;
    }
  }

  @Override
  public void chooseMeasurement(Command.ChooseMeasurement command) {
    planner.execute(
        () -> {
          MeasurementChoice choice = choice(command);
          answers.accept(new RunEvent.MeasurementChosen(command.group(), choice, time.instant()));
        });
  }

  /** Without a choice, what was measured so far is the result. */
  private MeasurementChoice choice(Command.ChooseMeasurement command) {
    try {
      return advisors.measurements().map(one -> one.choose(command)).orElse(MeasurementChoice.NONE);
    } catch (RuntimeException | Error e) {
      LOG.error("The next measurement could not be chosen; the measurements end", e);
      return MeasurementChoice.NONE;
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
          } catch (RuntimeException | Error e) {
            LOG.error("The request for a larger budget failed", e);
            answered(command, false, "an internal error");
          }
        });
  }

  private void answered(Command.AskBudget command, boolean allowed, String who) {
    answers.accept(new RunEvent.BudgetAnswered(command.number(), allowed, who, time.instant()));
  }

  @Override
  public void configure(Command.ConfigureTrials command) {
    SamplerRequest request = samplerRequests.proposal(command);
    samplerExecutor.execute(
        () -> {
          try {
            List<String> proposals = advisors.sampler().orElseThrow().propose(request);
            configured(command, samplerRequests.accepted(command, proposals), "");
          } catch (SamplerException e) {
            configured(command, List.of(), String.valueOf(e.getMessage()));
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the run ended first
          } catch (RuntimeException | Error e) {
            LOG.error("The request for configurations failed", e);
            configured(command, List.of(), e.toString());
          }
        });
  }

  private void configured(Command.ConfigureTrials command, List<String> configs, String error) {
    answers.accept(new RunEvent.Configured(command.request(), configs, error, time.instant()));
  }

  @Override
  public void close() {
    samplerExecutor.shutdownNow();
    advisors.sampler().ifPresent(ConfigurationSampler::close);
    planner.shutdownNow();
    budgetExecutor.shutdownNow();
  }
}
