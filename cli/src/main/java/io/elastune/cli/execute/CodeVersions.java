package io.elastune.cli.execute;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.core.job.Job;
import io.elastune.executor.code.CodeManifest;
import io.elastune.executor.code.CodeSnapshot;
import io.elastune.executor.code.CodeVersion;
import io.elastune.executor.code.RunCode;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunMeta;
import io.elastune.inputs.WorkdirCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Takes, compares and opens snapshots of a job's code in the folders of its runs. */
final class CodeVersions {
  private final CliEnvironment cliEnvironment;
  private final Job job;
  private final Path jobFolder;

  /** {@code jobFolder}: the folder that paths in the job file are relative to. */
  CodeVersions(CliEnvironment cliEnvironment, Job job, Path jobFolder) {
    this.cliEnvironment = cliEnvironment;
    this.job = job;
    this.jobFolder = jobFolder;
  }

  /** Returns the folder of the training program. */
  Path workdir() {
    return present("").workdir();
  }

  private WorkdirCode present(String jobFile) {
    return new WorkdirCode(cliEnvironment, job, jobFolder, jobFile);
  }

  private RunFolder folder(String run) {
    return RunFolder.of(cliEnvironment.home(), run);
  }

  /**
   * Checks that a snapshot of the present code can be taken.
   *
   * @throws io.elastune.executor.code.CodeException if it cannot be read or is too large
   */
  void check(String jobFile) {
    present(jobFile).tree();
  }

  /** Copies the present code to the folder of a new run, and adds its version to the metadata. */
  RunMeta takeSnapshot(String run, RunMeta meta) {
    CodeSnapshot snapshot = present(meta.jobFile()).take(folder(run), 1);
    return meta.withCode(List.of(snapshot.manifest().version(1, 0)));
  }

  /**
   * Returns which files of the workdir differ from the latest snapshot of a run, sorted by path;
   * none for a run without a snapshot, from an earlier version of Elastune.
   */
  List<String> changes(String run, RunMeta meta) {
    Optional<CodeVersion> last = last(meta);
    if (last.isEmpty()) {
      return List.of();
    }
    CodeManifest now = present(meta.jobFile()).scan();
    return now.hash().equals(last.get().hash())
        ? List.of()
        : CodeSnapshot.open(folder(run).code(last.get().number())).manifest().changesTo(now);
  }

  /**
   * Copies the present code as a new version of a run whose lock the caller holds, and returns the
   * metadata with it. Without a change of the code, the metadata stays as it is.
   */
  RunMeta update(String run, RunMeta meta) {
    WorkdirCode present = present(meta.jobFile());
    Optional<CodeVersion> last = last(meta);
    if (last.map(CodeVersion::hash).equals(Optional.of(present.scan().hash()))) {
      return meta;
    }
    RunFolder folder = folder(run);
    last.ifPresent(version -> present.removeCopies(folder, version.number()));
    int number = meta.code().size() + 1;
    while (Files.exists(folder.code(number))) { // of a resume that was killed
      number++;
    }
    long nowMs = cliEnvironment.clock().instant().toEpochMilli();
    List<CodeVersion> versions = new ArrayList<>(meta.code());
    versions.add(present.take(folder, number).manifest().version(number, nowMs));
    return meta.withCode(versions);
  }

  /** Opens the latest snapshot; empty for a simulated run, or one of an earlier version. */
  Optional<RunCode> open(String run, RunMeta meta) {
    RunFolder folder = folder(run);
    Optional<RunCode> code =
        last(meta)
            .map(version -> CodeSnapshot.open(folder.code(version.number())))
            .map(snapshot -> new RunCode(snapshot, folder.work()));
    code.ifPresent(RunCode::createWork);
    return code;
  }

  private static Optional<CodeVersion> last(RunMeta meta) {
    return meta.code().stream().reduce((first, second) -> second);
  }
}
