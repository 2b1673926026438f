package io.elastune.inputs;

import io.elastune.core.job.Job;
import io.elastune.executor.code.CodeException;
import io.elastune.executor.code.CodeManifest;
import io.elastune.executor.code.CodeSnapshot;
import io.elastune.executor.code.CodeTree;
import io.elastune.executor.code.RunCode;
import io.elastune.executor.journal.RunFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The present code in the workdir of a job. */
public final class WorkdirCode {
  private final InputEnvironment environment;
  private final Job job;
  private final Path jobFolder;
  private final String jobFile;

  /**
   * Describes the code; reads nothing yet.
   *
   * @param jobFolder the folder that paths in the job file are relative to
   * @param jobFile the job file as the user named it, possibly from another folder
   */
  public WorkdirCode(InputEnvironment environment, Job job, Path jobFolder, String jobFile) {
    this.environment = environment;
    this.job = job;
    this.jobFolder = jobFolder;
    this.jobFile = jobFile;
  }

  /** Returns the folder with the code. */
  public Path workdir() {
    return jobFolder.resolve(job.trial().workdir()).normalize();
  }

  /**
   * Lists the code.
   *
   * @throws io.elastune.executor.code.CodeException if it cannot be read or is too large
   */
  public CodeTree tree() {
    Stream<Path> store =
        job.trial().checkpoints().store().stream()
            .filter(place -> !place.contains("://"))
            .map(place -> workdir().resolve(place));
    Set<Path> excluded =
        Stream.concat(Stream.of(environment.home()), store)
            .map(WorkdirCode::real)
            .collect(Collectors.toSet());
    CodeTree tree = CodeTree.of(workdir(), excluded, foldersOfMetric());
    tree.checkSize(job.trial().maxCodeBytes());
    return tree;
  }

  /** Each trial writes its own file with the metric, also in a folder that Git ignores. */
  private Set<String> foldersOfMetric() {
    Path file = Path.of(job.search().metric().from().orElse("")).normalize();
    return Stream.iterate(file.getParent(), Objects::nonNull, Path::getParent)
        .map(Path::toString)
        .collect(Collectors.toSet());
  }

  /** Reads and hashes the code. */
  public CodeManifest scan() {
    return CodeSnapshot.scan(tree(), inputs());
  }

  /** Takes a snapshot, as this version of the code of the run. */
  public CodeSnapshot take(RunFolder folder, int version) {
    return CodeSnapshot.take(tree(), inputs(), folder.code(version));
  }

  /**
   * Removes what is left of an earlier version in the working folders, after a killed controller.
   */
  public void removeCopies(RunFolder folder, int version) {
    CodeSnapshot snapshot;
    try {
      snapshot = CodeSnapshot.open(folder.code(version));
    } catch (CodeException e) {
      return; // the snapshot is damaged, which the new version repairs
    }
    new RunCode(snapshot, folder.work()).removeCopies();
  }

  /** Returns the files in which a change is no change of the program. */
  private Set<Path> inputs() {
    Stream<String> named =
        Stream.of(job.resources().offers(), job.profile().file()).flatMap(Optional::stream);
    return Stream.concat(Stream.of(Path.of(jobFile).getFileName()), named.map(Path::of))
        .map(jobFolder::resolve)
        .map(WorkdirCode::real)
        .collect(Collectors.toSet());
  }

  private static Path real(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException e) {
      return path.toAbsolutePath().normalize(); // it does not exist
    }
  }
}
