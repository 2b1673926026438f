package io.elastune.cli.host;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.SignalHandlers;
import io.elastune.cli.env.Version;
import io.elastune.cli.remote.RemoteProtocol;
import io.elastune.cli.text.ByteFormat;
import io.elastune.cli.text.Plural;
import io.elastune.core.ShellWord;
import io.elastune.executor.decision.model.RunOutcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.ParseResult;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Implements {@code elastune --host}: sends the job, runs the command on the controller machine,
 * shows its screens, and copies results back. A run continues there without a connection; this
 * command then reconnects.
 */
public final class HostClient {
  private static final int MOST_NAMED = 5;

  private final CliEnvironment cliEnvironment;
  private final HostOptions options;
  private final HostedArguments arguments;
  private final ConnectionFailure failures;
  private final CopiedResults results;

  public HostClient(CliEnvironment cliEnvironment, HostOptions options, ParseResult parsed) {
    this.cliEnvironment = cliEnvironment;
    this.options = options;
    this.arguments = new HostedArguments(cliEnvironment, parsed);
    this.failures = new ConnectionFailure(options);
    this.results = new CopiedResults(cliEnvironment, options.host());
  }

  /** Runs the command and returns its exit code. Ctrl-C before and after it ends this command. */
  public int run() {
    Runnable interruptAsBefore = SignalHandlers.on("INT", Thread.currentThread()::interrupt);
    try (SshClient ssh = new SshClient(cliEnvironment, options)) {
      return run(ssh);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      return RunOutcome.INTERRUPTED.exitCode();
    } finally {
      interruptAsBefore.run();
    }
  }

  private int run(SshClient ssh) throws IOException, InterruptedException {
    JobArchive archive = new JobArchive(cliEnvironment);
    arguments.job().ifPresent(job -> archive.addJob(job, arguments.overrides()));
    arguments.sent().forEach(archive::addGiven);
    Path tar = ssh.folder().resolve("job.tar");
    Optional<String> hash = archive.size() > 0 ? Optional.of(archive.write(tar)) : Optional.empty();
    ObjectNode hello = RemoteProtocol.document();
    hash.ifPresent(digits -> hello.put("archive", digits));
    arguments.shownRun().ifPresent(run -> hello.put("run", run));
    JsonNode host = answer(ssh.request("hello", hello));
    checkVersion(host);
    if (hash.isPresent() && !host.path("stored").asBoolean()) {
      send(ssh, archive, tar, hash.get());
    }
    if (host.path("run").isString()) {
      arguments.setShownRun(host.path("run").asString());
    }
    String root = host.path("folder").asString();
    RemoteExecution execution =
        new RemoteExecution(
            cliEnvironment,
            options,
            arguments,
            token -> request(archive, hash, root, token),
            results);
    int exit = execution.run(ssh);
    if (hasResults()) {
      copyResults(ssh, execution.token());
    }
    return exit;
  }

  private boolean hasResults() {
    return arguments.follows() || !arguments.written().isEmpty();
  }

  /** Returns the request that runs the command in the session with this token. */
  private ObjectNode request(JobArchive archive, Optional<String> hash, String root, String token) {
    String place =
        arguments.isScheduled() && hash.isPresent()
            ? archive.scheduledPlace(hash.get())
            : archive.place();
    ObjectNode request = RemoteProtocol.document().put("session", token);
    request.put("colors", cliEnvironment.useColors()).put("results", hasResults());
    hash.ifPresent(digits -> request.put("archive", digits).put("job", place));
    String sent = root + "/jobs/" + place + "/" + JobArchive.GIVEN;
    String written = root + "/sessions/" + token + "/out";
    var names = request.putObject("file_names");
    arguments.sent().forEach((name, file) -> put(names, sent + "/" + name, file));
    arguments.written().forEach((name, file) -> put(names, written + "/" + name, file));
    var words = request.putArray("arguments");
    arguments.words(archive.job(), sent, written).forEach(words::add);
    return request;
  }

  private void put(ObjectNode names, String there, Path here) {
    names.put(there, cliEnvironment.displayPath(here));
  }

  private JsonNode answer(SshClient.Result result) {
    if (result.exit() != 0 || result.response().isEmpty()) {
      throw failures.of(result);
    }
    return result.response().get();
  }

  private void checkVersion(JsonNode host) {
    String there = host.path("version").asString();
    if (host.path("protocol").asInt() != RemoteProtocol.NUMBER) {
      throw failures.version(there);
    }
    if (!there.equals(Version.text())) {
      note(
          "elastune is "
              + there
              + " on "
              + options.host()
              + ", where the command runs, and "
              + Version.text()
              + " here.");
    }
  }

  private void send(SshClient ssh, JobArchive archive, Path tar, String hash)
      throws IOException, InterruptedException {
    note(
        "Sending "
            + Plural.counted(archive.size(), "file")
            + ", "
            + ByteFormat.format(Files.size(tar))
            + ", to "
            + options.host()
            + notSent(archive.notSent()));
    ObjectNode request = RemoteProtocol.document().put("archive", hash);
    answer(ssh.request("receive", request, tar.toFile()));
  }

  private static String notSent(List<String> entries) {
    if (entries.isEmpty()) {
      return "";
    }
    int more = entries.size() - MOST_NAMED;
    return "; not sent, because ignored: "
        + String.join(", ", entries.subList(0, Math.min(MOST_NAMED, entries.size())))
        + (more > 0 ? " and " + more + " more" : "");
  }

  /** A failure to copy does not change the exit code of the command. */
  private void copyResults(SshClient ssh, String token) throws IOException, InterruptedException {
    ObjectNode request = RemoteProtocol.document().put("session", token);
    SshClient.Result result = ssh.request("result", request);
    if (result.exit() != 0 || result.response().isEmpty()) {
      note(String.valueOf(failures.of(result).getMessage()));
      note(
          "The results were not copied: elastune --host "
              + ShellWord.of(options.host())
              + " report RUN --html report.html");
      return;
    }
    results.writeFiles(result.response().get(), arguments.written());
    if (arguments.follows()) {
      results.writeReport(result.response().get());
    }
  }

  private void note(String text) {
    cliEnvironment.err().println(text);
  }
}
