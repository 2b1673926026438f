package io.elastune.plan;

import io.elastune.core.files.UserHome;
import io.elastune.inputs.InputEnvironment;
import io.elastune.provisioner.Installation;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The environment of a program: it has no terminal, so what would be printed there is collected.
 */
public final class LibraryEnvironment implements InputEnvironment {
  private final Path folder;
  private final Optional<Path> home;
  private final Optional<Path> clouds;
  private final InstantSource clock;
  private final List<String> reported = new ArrayList<>();

  /**
   * Creates an environment.
   *
   * @param folder the folder that paths are relative to
   * @param home the folder of runs and profiles; empty for that of the user's commands
   * @param clouds the settings of the cloud accounts; empty for those of the user's commands
   */
  public LibraryEnvironment(
      Path folder, Optional<Path> home, Optional<Path> clouds, InstantSource clock) {
    this.folder = folder;
    this.home = home;
    this.clouds = clouds;
    this.clock = clock;
  }

  @Override
  public Path home() {
    return home.orElseGet(InputEnvironment.super::home);
  }

  @Override
  public Path cloudsFile() {
    return clouds.orElseGet(InputEnvironment.super::cloudsFile);
  }

  @Override
  public Path userHome() {
    return UserHome.ofProcess()
        .map(this::path)
        .orElseThrow(
            () -> new IllegalStateException("there is no home folder: name one with home(Path)"));
  }

  @Override
  public Path path(String given) {
    return folder.resolve(given).normalize();
  }

  @Override
  public String displayPath(Path path) {
    return InputEnvironment.relative(folder, folder.resolve(path).normalize());
  }

  @Override
  public InstantSource clock() {
    return clock;
  }

  @Override
  public Optional<Installation.MissingExtra> missingExtra(String provider) {
    return InputEnvironment.super
        .missingExtra(provider)
        .map(
            wheel -> {
              String artifact = "elastune-provisioner-" + provider;
              return new Installation.MissingExtra(
                  provider + " needs the artifact " + artifact + " on the class path",
                  "add it with scope runtime, or use the offers in a file: offers(Path)");
            });
  }

  @Override
  public void report(String line) {
    reported.add(line);
  }

  /** Returns what was reported. */
  public List<String> reported() {
    return List.copyOf(reported);
  }

  @Override
  public Optional<String> variable(String name) {
    return Optional.ofNullable(System.getenv(name)).filter(value -> !value.isEmpty());
  }
}
