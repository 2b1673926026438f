package io.elastune.cli.account;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.env.PromptAnswer;
import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.inspect.PollDelay;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.TaggedInstance;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Implements the command {@code orphans}: lists and terminates instances with Elastune tags. Uses
 * only what the clouds report, and no local files of a run.
 */
public final class OrphanService {
  /** Maximum time to wait for the clouds to report the instances as terminated. */
  private static final Duration TIMEOUT = Duration.ofMinutes(5);

  private static final int POLL_MS = 1000;

  /** Number of consecutive empty lists that are required as proof: the lists of clouds lag. */
  private static final int EMPTY_LISTS_REQUIRED = 3;

  private final CliEnvironment cliEnvironment;
  private final Output output;
  private final List<String> infra;
  private final CloudAccounts cloudAccounts;

  /** {@code infra}: the locations to list; all if it is empty. */
  public OrphanService(CliEnvironment cliEnvironment, Output output, List<String> infra) {
    this.cliEnvironment = cliEnvironment;
    this.output = output;
    this.infra = List.copyOf(infra);
    cloudAccounts = new CloudAccounts(cliEnvironment.cloudContext(), cliEnvironment.err()::println);
  }

  /** Lists the instances. */
  public ExitCode list() {
    InstanceSearch search = search();
    show(search.found());
    return complete(search);
  }

  /** Names what could not be examined. An incomplete list is no proof that nothing is left. */
  private ExitCode complete(InstanceSearch search) {
    search.unexamined().forEach(line -> cliEnvironment.err().println("elastune: " + line));
    return search.unexamined().isEmpty()
        ? ExitCode.DONE
        : ExitCode.of(RunOutcome.CLEANUP_UNCONFIRMED);
  }

  /**
   * Terminates expired instances, and waits until the clouds report them as terminated.
   *
   * @param all whether to terminate unexpired instances too
   * @param yes whether the user confirmed it on the command line
   */
  public ExitCode delete(boolean all, boolean yes) {
    InstanceSearch search = search();
    List<TaggedInstance> found = search.found();
    show(found);
    List<TaggedInstance> chosen = chosen(found, all);
    if (chosen.isEmpty()) {
      if (!found.isEmpty()) {
        output
            .text()
            .println("None is expired: controllers renew them. Add --all to terminate them too.");
      }
      return complete(search);
    }
    if (!yes && !confirmed(chosen)) {
      throw CommandFailure.of(
          ExitCode.NOT_CONFIRMED,
          "",
          "no instance was terminated",
          "type 'yes' to confirm, or use -y");
    }
    try {
      return end(all, chosen.size(), search);
    } catch (CloudException e) {
      throw unconfirmed(e.failure().message());
    }
  }

  /** Searches the instances; fails if no account could be examined. */
  private InstanceSearch search() {
    try {
      InstanceSearch search = cloudAccounts.instances(infra);
      search.found();
      return search;
    } catch (CloudException e) {
      if (e.failure() instanceof CloudFailure.Permission
          || e.failure() instanceof CloudFailure.Invalid) {
        throw e;
      }
      throw unconfirmed(e.failure().message());
    }
  }

  private static CommandFailure unconfirmed(String why) {
    return CommandFailure.of(
        ExitCode.of(RunOutcome.CLEANUP_UNCONFIRMED),
        "",
        why,
        "instances may still be billed; run 'elastune orphans' again");
  }

  private List<TaggedInstance> chosen(List<TaggedInstance> found, boolean all) {
    Instant now = cliEnvironment.clock().instant();
    return found.stream().filter(instance -> all || instance.isExpired(now)).toList();
  }

  private ExitCode end(boolean all, int count, InstanceSearch first) {
    int pollMs = POLL_MS;
    int empty = 0;
    for (long waited = 0; waited < TIMEOUT.toMillis(); waited += pollMs) {
      InstanceSearch search = search();
      List<TaggedInstance> left = chosen(search.found(), all);
      empty = left.isEmpty() && search.covers(first) ? empty + 1 : 0;
      if (empty >= EMPTY_LISTS_REQUIRED) {
        output
            .text()
            .println(
                "Terminated "
                    + instances(count)
                    + "; the cloud confirms that none of them is left.");
        return complete(search);
      }
      if (!left.isEmpty()) {
        cloudAccounts.terminate(left);
      }
      if (!PollDelay.sleepMillis(pollMs)) {
        break;
      }
    }
    throw unconfirmed("the cloud did not confirm that all instances are terminated");
  }

  private boolean confirmed(List<TaggedInstance> chosen) {
    if (!cliEnvironment.terminal()) {
      return false;
    }
    String runs =
        chosen.stream()
            .map(TaggedInstance::run)
            .distinct()
            .sorted()
            .collect(Collectors.joining(", "));
    String question =
        "Terminate " + instances(chosen.size()) + " of " + runs + "? Type 'yes' to confirm:";
    return PromptAnswer.prompt(question, cliEnvironment, output).equals("yes");
  }

  private static String instances(int count) {
    return count + (count == 1 ? " instance" : " instances");
  }

  private void show(List<TaggedInstance> found) {
    OrphanScreen screen = new OrphanScreen(found, cliEnvironment.clock().instant());
    screen.lines().forEach(output.text()::println);
    output.jsonDocument(screen::document);
  }
}
