package io.elastune.cli.host;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.remote.RemoteProtocol;
import io.elastune.core.config.JobFile;
import io.elastune.core.config.Overrides;
import io.elastune.core.config.ParseResult;
import io.elastune.core.config.ReferencedFiles;
import io.elastune.core.job.Job;
import io.elastune.executor.code.CodeException;
import io.elastune.executor.code.CodeManifest;
import io.elastune.executor.code.CodeTree;
import io.elastune.executor.code.TarWriter;
import io.elastune.inputs.TextFileReader;
import io.elastune.inputs.WorkdirCode;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The files that a command needs on the controller machine: the job file, the code in its workdir
 * and the files that it names, in their relative locations, and files of the command line. The same
 * files give the same archive.
 */
final class JobArchive {
  /** Folder of the job in an archive. */
  static final String TREE = "tree";

  /** Folder of the files of the command line in an archive. */
  static final String GIVEN = "given";

  private static final int DIGITS = 12;

  private final CliEnvironment cliEnvironment;
  private final Map<String, Path> files = new TreeMap<>();
  private final Map<String, CodeManifest.Entry> code = new LinkedHashMap<>();
  private Path root;
  private String job = "";
  private List<String> notSent = List.of();

  /** Creates an archive without a job. */
  JobArchive(CliEnvironment cliEnvironment) {
    this.cliEnvironment = cliEnvironment;
    this.root = cliEnvironment.folder();
  }

  /**
   * Adds a job.
   *
   * @throws CommandFailure if it names a file by an absolute path
   * @throws io.elastune.core.config.FileProblemsException if the job file is invalid
   * @throws CodeException if the code is too large
   */
  void addJob(Path file, Overrides overrides) {
    Map<String, Path> named = new LinkedHashMap<>();
    String name = cliEnvironment.displayPath(file);
    Path folder = file.resolveSibling("");
    Job parsed =
        new TextFileReader(cliEnvironment)
            .read(
                file,
                (title, text) ->
                    JobFile.parse(title, text, overrides, path -> read(folder, path, named)))
            .orThrow()
            .value();
    addNamed(named, folder, "profile.file", parsed.profile().file());
    addNamed(named, folder, "resources.offers", parsed.resources().offers());
    named.forEach((path, at) -> requireRelative(name, "search", path));
    requireRelative(name, "trial.workdir", parsed.trial().workdir());
    WorkdirCode workdirCode = new WorkdirCode(cliEnvironment, parsed, folder, name);
    Path workdir = workdirCode.workdir();
    if (!Files.isDirectory(workdir)) {
      throw CommandFailure.usage(
          name, "trial.workdir", "folder does not exist: " + cliEnvironment.displayPath(workdir));
    }
    root = folder.toAbsolutePath().normalize();
    Stream.concat(Stream.of(workdir), named.values().stream().map(path -> path.resolveSibling("")))
        .forEach(this::widen);
    CodeTree tree = workdirCode.tree();
    notSent = tree.otherEntries();
    for (CodeManifest.Entry entry : workdirCode.scan().files()) {
      String path = path(workdir.resolve(entry.path()));
      files.put(path, workdir.resolve(entry.path()));
      code.put(path, entry);
    }
    Stream.concat(Stream.of(file), named.values().stream().filter(Files::exists))
        .forEach(some -> files.putIfAbsent(path(some), some));
    job = root.relativize(file).toString();
  }

  private void addNamed(Map<String, Path> named, Path folder, String field, Optional<String> path) {
    path.ifPresent(
        some -> {
          requireRelative("", field, some);
          named.put(some, folder.resolve(some).normalize());
        });
  }

  private static void requireRelative(String file, String field, String path) {
    if (Path.of(path).isAbsolute()) {
      throw CommandFailure.usage(
          file,
          field,
          path
              + " is an absolute path of this machine, which the controller machine may not have;"
              + " with --host, use a path relative to the job file");
    }
  }

  private ParseResult<ReferencedFiles.TextFile> read(
      Path folder, String path, Map<String, Path> named) {
    Path file = folder.resolve(path).normalize();
    named.put(path, file);
    return new TextFileReader(cliEnvironment)
        .read(
            file,
            (name, text) -> new ParseResult.ValidFile<>(new ReferencedFiles.TextFile(name, text)))
        .match(found -> new ParseResult.ValidFile<>(found.value()), ParseResult.InvalidFile::new);
  }

  private void widen(Path folder) {
    while (!folder.startsWith(root)) {
      root = root.resolve("..").normalize();
    }
  }

  private String path(Path file) {
    return TREE + "/" + root.relativize(file);
  }

  /** Adds a file of the command line. */
  void addGiven(String name, Path file) {
    if (!Files.isReadable(file) || Files.isDirectory(file)) {
      throw new UncheckedIOException(new NoSuchFileException(cliEnvironment.displayPath(file)));
    }
    files.put(GIVEN + "/" + name, file);
  }

  /** Returns the job file's path in the archive, relative to {@link #TREE}. */
  String job() {
    return job;
  }

  /** Returns the entries of the workdir that are no code and therefore not in the archive. */
  List<String> notSent() {
    return notSent;
  }

  int size() {
    return files.size();
  }

  /** Returns a name for the job's folder on the controller machine, the same for every version. */
  String place() {
    String name = String.valueOf(root.getFileName()).replaceAll("[^\\w.-]", "_");
    String origin = System.getProperty("user.name", "") + "\0" + root;
    MessageDigest digest = sha256();
    digest.update(origin.getBytes(StandardCharsets.UTF_8));
    String hash = HexFormat.of().formatHex(digest.digest()).substring(0, DIGITS);
    return "job-" + name.substring(0, Math.min(40, name.length())) + "-" + hash;
  }

  /**
   * Returns a name for the folder of a schedule on the controller machine, a separate one for every
   * version: other commands must not change the code of a schedule.
   */
  String scheduledPlace(String hash) {
    return RemoteProtocol.SCHEDULED
        + place().substring("job-".length())
        + "-"
        + hash.substring(0, DIGITS);
  }

  /** Writes the archive and returns its SHA-256. */
  String write(Path file) {
    MessageDigest digest = sha256();
    try (OutputStream stream = new DigestOutputStream(Files.newOutputStream(file), digest);
        TarWriter tar = new TarWriter(new BufferedOutputStream(stream))) {
      tar.addFolder(TREE);
      for (Map.Entry<String, Path> entry : files.entrySet()) {
        add(tar, entry.getKey(), entry.getValue());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private void add(TarWriter tar, String path, Path file) throws IOException {
    Optional<CodeManifest.Entry> entry = Optional.ofNullable(code.get(path));
    Optional<String> link = entry.flatMap(CodeManifest.Entry::linkTarget);
    if (link.isEmpty()) {
      tar.addFile(path, file, entry.map(CodeManifest.Entry::executable).orElse(false));
    } else if (entry.map(CodeManifest.Entry::staysInside).orElse(false)) {
      tar.addLink(path, link.get());
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("SHA-256 is unavailable", e);
    }
  }
}
