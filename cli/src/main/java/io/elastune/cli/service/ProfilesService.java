package io.elastune.cli.service;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.ErrorDetail;
import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.json.FileJson;
import io.elastune.cli.text.TextTable;
import io.elastune.core.config.ProfileFile;
import io.elastune.core.config.codec.NearestName;
import io.elastune.core.profile.Profile;
import io.elastune.profiler.ProfileStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Implements the commands {@code profiles list|show|rm} for stored profiles. */
public final class ProfilesService {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final Output output;
  private final ProfileStore store;
  private final Map<String, Path> files = new TreeMap<>();

  public ProfilesService(CliEnvironment cliEnvironment, Output output) {
    this.output = output;
    this.store = new ProfileStore(cliEnvironment.home());
    store.files().forEach(file -> files.put(name(file), file));
  }

  private static String name(Path file) {
    return String.valueOf(file.getFileName()).replaceFirst("\\.yaml$", "");
  }

  /** Lists all profiles. */
  public ExitCode list() {
    Map<String, Profile> profiles = new TreeMap<>();
    files.forEach((name, file) -> store.read(file).ifPresent(some -> profiles.put(name, some)));
    if (profiles.isEmpty()) {
      output
          .text()
          .println("No stored profiles. 'elastune run' and 'elastune profile' create them.");
    } else {
      table(profiles).lines().forEach(output.text()::println);
    }
    output.jsonDocument(() -> document(profiles));
    return ExitCode.DONE;
  }

  private static TextTable table(Map<String, Profile> profiles) {
    TextTable table =
        new TextTable().left("name").left("program").left("gpu").left("measured").left("source");
    profiles.forEach(
        (name, profile) ->
            table.row(
                name,
                profile.program(),
                profile.gpu(),
                profile.measured().at() + " (n=" + profile.measured().samples() + ")",
                profile.measured().source()));
    return table;
  }

  private static ArrayNode document(Map<String, Profile> profiles) {
    ArrayNode document = NODES.arrayNode();
    profiles.forEach(
        (name, profile) ->
            document
                .addObject()
                .put("name", name)
                .put("program", profile.program())
                .put("gpu", profile.gpu())
                .put("unit", profile.unit())
                .put("source", profile.measured().source())
                .put("date", profile.measured().at().toString())
                .put("samples", profile.measured().samples()));
    return document;
  }

  /** Prints one profile. */
  public ExitCode show(String name) {
    Profile profile = store.read(file(name)).orElseThrow(() -> unreadable(name));
    output.text().print(ProfileFile.write(profile));
    output.jsonDocument(() -> FileJson.profile(profile));
    return ExitCode.DONE;
  }

  /** Removes one profile. */
  public ExitCode remove(String name) {
    try {
      Files.delete(file(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    output.text().println("Removed " + name + ".");
    output.jsonDocument(() -> NODES.objectNode().put("removed", name));
    return ExitCode.DONE;
  }

  private Path file(String name) {
    return Optional.ofNullable(files.get(name))
        .orElseThrow(
            () ->
                CommandFailure.usage(
                    ErrorDetail.of(
                        name,
                        "no such profile",
                        NearestName.find(name, files.keySet())
                            .map(near -> "did you mean " + near + "?")
                            .orElse("see 'elastune profiles list'"))));
  }

  private CommandFailure unreadable(String name) {
    return CommandFailure.usage(
        ErrorDetail.of(name, "the file is not a valid profile", "remove it: " + files.get(name)));
  }
}
