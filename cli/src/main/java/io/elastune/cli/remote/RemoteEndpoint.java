package io.elastune.cli.remote;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.FileNames;
import io.elastune.cli.env.Output;
import io.elastune.cli.env.Version;
import io.elastune.cli.execute.AttachSession;
import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.inspect.LogMarks;
import io.elastune.cli.inspect.RunFinder;
import io.elastune.cli.inspect.RunRecord;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.executor.journal.RunFolder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Answers the requests of {@code elastune --host} on another machine. */
public final class RemoteEndpoint {
  private final CliEnvironment cliEnvironment;
  private final CommandRunner commands;
  private final RemoteFolder folder;

  /** Creates an endpoint that runs commands with {@code commands}. */
  public RemoteEndpoint(CliEnvironment cliEnvironment, CommandRunner commands) {
    this.cliEnvironment = cliEnvironment;
    this.commands = commands;
    this.folder = new RemoteFolder(cliEnvironment);
  }

  /** Answers one request and returns the exit code. */
  public int answer(String action, JsonNode request) {
    try {
      return switch (action) {
        case "hello" -> hello(request);
        case "receive" -> receive(request);
        case "exec" -> exec(request);
        case "follow" -> follow(request);
        case "result" -> result(request);
        default ->
            throw CommandFailure.invalid(
                "ACTION",
                "'" + action + "' is unknown to elastune " + Version.text(),
                "install the same version on both machines");
      };
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return RunOutcome.INTERRUPTED.exitCode();
    }
  }

  private int respond(JsonNode response) {
    cliEnvironment.out().println(RemoteProtocol.line(response));
    return ExitCode.DONE.code();
  }

  private int hello(JsonNode request) throws IOException {
    folder.prepare();
    JsonNode archive = request.path("archive");
    ObjectNode response =
        RemoteProtocol.document()
            .put("protocol", RemoteProtocol.NUMBER)
            .put("version", Version.text())
            .put("folder", folder.root().toString())
            .put("stored", archive.isString() && folder.use(archive.asString()));
    if (request.path("run").isString()) {
      run(request.path("run").asString()).ifPresent(run -> response.put("run", run));
    }
    return respond(response);
  }

  /** Returns the run that a name means now; empty if the command will report that there is none. */
  private Optional<String> run(String name) {
    try {
      return Optional.of(new RunFinder(cliEnvironment).findOrNewest(name).run());
    } catch (CommandFailure e) {
      return Optional.empty();
    }
  }

  private int receive(JsonNode request) throws IOException, InterruptedException {
    new ArchiveReceiver(folder).receive(request.path("archive").asString(), cliEnvironment.in());
    return respond(RemoteProtocol.document());
  }

  private RemoteSession session(JsonNode request) {
    return new RemoteSession(cliEnvironment, sessionFolder(request));
  }

  private Path sessionFolder(JsonNode request) {
    return folder.session(request.path("session").asString());
  }

  private int exec(JsonNode request) throws IOException {
    Path working = cliEnvironment.folder();
    if (request.path("archive").isString()) {
      String archive = request.path("archive").asString();
      working = folder.link(request.path("job").asString(), archive).resolve("tree");
    }
    List<String> arguments = new ArrayList<>();
    request.path("arguments").forEach(argument -> arguments.add(argument.asString()));
    RemoteSession session = session(request);
    String prefix = RemoteProtocol.markPrefix(request.path("session").asString());
    Map<String, String> variables = new HashMap<>();
    if (!request.path("colors").asBoolean()) {
      variables.put("NO_COLOR", "1");
    }
    if (request.path("file_names").isObject()) {
      variables.put(FileNames.VARIABLE, request.path("file_names").toString());
    }
    if (request.path("marks").asBoolean()) {
      variables.put(LogMarks.PREFIX, prefix);
    }
    if (request.path(RemoteProtocol.POSITION).isObject()) {
      variables.put(LogMarks.POSITION, request.path(RemoteProtocol.POSITION).toString());
    }
    if (request.path("changed_files").asBoolean()) {
      new ChangedFiles(cliEnvironment, session.outputFiles(), prefix).start();
    }
    int exit = session.run(working, variables, arguments, commands);
    if (!request.path("results").asBoolean()) {
      RemoteFolder.remove(sessionFolder(request));
    }
    return exit;
  }

  private int follow(JsonNode request) throws IOException {
    RemoteSession session = session(request);
    Optional<String> run = session.awaitRun();
    if (run.isPresent()) {
      Output output = new Output(cliEnvironment, request.path("json").asBoolean());
      return AttachSession.ofStarter(cliEnvironment, output).attach(run.get()).code();
    }
    throw CommandFailure.of(
        ExitCode.NOT_CONFIRMED,
        "",
        "the connection was lost before the command started a run"
            + session.exit().map(exit -> "; it ended with exit code " + exit).orElse(""),
        "start it again");
  }

  /** Returns the report of an ended run and the files that a command has written. */
  private int result(JsonNode request) throws IOException {
    ObjectNode response = RemoteProtocol.document();
    RemoteSession session = session(request);
    Optional<String> run = session.run();
    if (run.isPresent()) {
      response.put("run", run.get());
      if (RunRecord.read(RunFolder.of(cliEnvironment.home(), run.get())).finished()) {
        addReport(response, run.get());
      }
    }
    ObjectNode files = response.putObject("files");
    Path out = session.outputFiles();
    if (Files.isDirectory(out)) {
      try (Stream<Path> entries = Files.list(out)) {
        for (Path file : entries.toList()) {
          files.put(
              String.valueOf(file.getFileName()),
              Base64.getEncoder().encodeToString(Files.readAllBytes(file)));
        }
      }
    }
    RemoteFolder.remove(sessionFolder(request));
    return respond(response);
  }

  private void addReport(ObjectNode response, String run) throws IOException {
    response.put("report", output("report", run, "--json"));
    Path page = Files.createTempFile(folder.root(), "report", ".html");
    try {
      output("report", run, "--html", page.toString());
      response.put("page", Files.readString(page));
    } finally {
      Files.deleteIfExists(page);
    }
  }

  /** Returns what a command prints to standard output. */
  private String output(String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    commands.run(
        new CliEnvironment(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8),
            cliEnvironment.in(),
            cliEnvironment.environment(),
            cliEnvironment.folder(),
            cliEnvironment.clock(),
            false),
        List.of(arguments));
    return out.toString(StandardCharsets.UTF_8);
  }
}
