package io.elastune.profiler;

import io.elastune.core.config.ProfileFile;
import io.elastune.core.files.PrivateFiles;
import io.elastune.core.job.Job;
import io.elastune.core.profile.Profile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Stores measured profiles as profile files under {@code $ELASTUNE_HOME/profiles}. */
public final class ProfileStore {
  private static final String ENDING = ".yaml";

  private final Path folder;

  public ProfileStore(Path home) {
    folder = home.resolve("profiles");
  }

  /**
   * Returns the stored profile of {@code job} on {@code gpu}, unless it is older than the job
   * allows.
   *
   * @param workdir absolute working directory of the trials
   */
  public Optional<Profile> find(Job job, Path workdir, String gpu, Instant now) {
    Path file = folder.resolve(ProfileKey.of(job, workdir, gpu) + ENDING);
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    Duration reuse = job.profile().reuse();
    return read(file).filter(profile -> !profile.measured().at().plus(reuse).isBefore(now));
  }

  /**
   * Returns the newest file of a job of the same name on {@code gpu}, whose folder, command or
   * search space may differ.
   */
  public Optional<Path> similar(Job job, String gpu) {
    String start = ProfileKey.start(job, gpu);
    return files().stream()
        .filter(file -> String.valueOf(file.getFileName()).startsWith(start))
        .filter(
            file ->
                String.valueOf(file.getFileName())
                    .substring(start.length())
                    .matches("[0-9a-f]{12}" + ENDING))
        .max(Comparator.comparing(file -> file.toFile().lastModified()));
  }

  /** Stores a profile; it replaces an older one of the same program and GPU model. */
  public Path save(Job job, Path workdir, Profile profile) {
    Path file = folder.resolve(ProfileKey.of(job, workdir, profile.gpu()) + ENDING);
    try {
      PrivateFiles.openFolder(folder);
      Path temporary = Files.createTempFile(folder, "profile", ".tmp");
      Files.writeString(temporary, ProfileFile.write(profile));
      Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the profile to " + folder, e);
    }
  }

  /** Returns the files of all profiles, sorted by name. */
  public List<Path> files() {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(ENDING)).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns a stored profile; empty if the file is invalid, in which case the profile is measured
   * again.
   */
  public Optional<Profile> read(Path file) {
    try {
      return ProfileFile.parse(file.toString(), Files.readString(file))
          .match(Optional::of, problems -> Optional.empty());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }
}
