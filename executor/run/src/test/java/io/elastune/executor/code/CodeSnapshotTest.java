package io.elastune.executor.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CodeSnapshotTest {
  private static final int LARGE = 10_000_001;

  @TempDir Path folder;
  private Path workdir;

  @BeforeEach
  void create() throws IOException {
    workdir = Files.createDirectories(folder.toRealPath().resolve("repo/jobs/mine"));
    write("train.py", "print(1)");
  }

  private Path write(String path, String text) throws IOException {
    Path file = workdir.resolve(path);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  private CodeSnapshot take() {
    return CodeSnapshot.take(CodeTree.of(workdir, Set.of()), Set.of(), folder.resolve("run/code"));
  }

  private static List<String> paths(CodeManifest manifest) {
    return manifest.files().stream().map(CodeManifest.Entry::path).toList();
  }

  @Test
  void copiesCodeAndLinksIgnoredFolders() throws IOException {
    write(".gitignore", "data/\n");
    write("data/train.bin", "12345");
    write("pkg/model.py", "x = 1");
    write("a name\nwith lines.txt", "odd");
    write(".venv/pyvenv.cfg", "home = /usr");
    write("pkg/__pycache__/model.pyc", "cache");

    CodeSnapshot snapshot = take();

    assertThat(paths(snapshot.manifest()))
        .containsExactlyInAnyOrder(
            ".gitignore", "a name\nwith lines.txt", "pkg/model.py", "train.py");
    assertThat(snapshot.folder().resolve("data")).isSymbolicLink();
    assertThat(snapshot.folder().resolve("data/train.bin")).hasContent("12345");
    assertThat(snapshot.folder().resolve(".venv")).isSymbolicLink();
    assertThat(snapshot.folder().resolve("pkg/__pycache__")).doesNotExist();
    assertThat(CodeSnapshot.open(folder.resolve("run/code"))).isEqualTo(snapshot);
  }

  @Test
  void redirectedOutputIsNoCode() throws IOException {
    write("run.log", "output");
    write("nohup.out", "output");
    write("logs/one.log", "output");
    write(".elastuneignore", "!logs/*.log\n");

    assertThat(paths(take().manifest()))
        .containsExactlyInAnyOrder(".elastuneignore", "logs/one.log", "train.py");
  }

  /** As with {@code elastune run job.yaml > out/run.txt}. */
  @Test
  void outputOfThisProcessIsNoCode() throws IOException {
    write("out/run.txt", "output");
    write("run.txt", "code");
    Path link = Files.createSymbolicLink(folder.resolve("1"), workdir.resolve("out/run.txt"));
    Path other = Files.createSymbolicLink(folder.resolve("2"), workdir);
    CodeFilter filter = new CodeFilter(workdir, List.of(link, other));

    assertThat(filter.isCode("out/run.txt", "run.txt")).isFalse();
    assertThat(filter.isCode("run.txt", "run.txt")).isTrue();
  }

  @Test
  void isPrivateAndKeepsTheExecutableBitAndTime() throws IOException {
    Path script = write("run.sh", "echo");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path env = write(".env", "TOKEN=1");
    Files.setPosixFilePermissions(env, PosixFilePermissions.fromString("rw-r--r--"));

    Path copy = take().folder();

    assertThat(permissions(copy)).isEqualTo("rwx------");
    assertThat(permissions(copy.resolve("run.sh"))).isEqualTo("rwx------");
    assertThat(permissions(copy.resolve(".env"))).isEqualTo("rw-------");
    assertThat(Files.getLastModifiedTime(copy.resolve("run.sh")))
        .isEqualTo(Files.getLastModifiedTime(script));
  }

  private static String permissions(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  @Test
  void laterChangesDoNotReachTheSnapshot() throws IOException {
    CodeSnapshot snapshot = take();
    Files.writeString(workdir.resolve("train.py"), "print(2)"); // in place, as some editors do

    assertThat(snapshot.folder().resolve("train.py")).hasContent("print(1)");
  }

  @Test
  void elastuneignoreHasPrecedenceOverGitignore() throws IOException {
    write(".gitignore", "*.csv\n");
    write(".elastuneignore", "!keep.csv\n/big\n");
    write("keep.csv", "1");
    write("other.csv", "2");
    write("big/file.bin", "3");

    assertThat(paths(take().manifest()))
        .containsExactlyInAnyOrder(".elastuneignore", ".gitignore", "keep.csv", "train.py");
  }

  @Test
  void inGitRepositoryTrackedFilesAreCodeAndCommitIsRecorded() throws Exception {
    assumeTrue(git("init", "-q", "."), "git is not installed");
    write(".gitignore", "*.bin\n.venv\n");
    write("forced.bin", "tracked although ignored");
    write("other.bin", "ignored");
    git("add", "-f", "forced.bin", ".gitignore", "train.py");
    git("-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "-m", "x");
    CodeManifest clean = CodeSnapshot.scan(CodeTree.of(workdir, Set.of()), Set.of());
    write("new.py", "not committed");

    CodeManifest dirty = take().manifest();

    assertThat(clean.commit()).hasValueSatisfying(id -> assertThat(id).hasSize(40));
    assertThat(clean.dirty()).isFalse();
    assertThat(dirty.dirty()).isTrue();
    assertThat(paths(dirty))
        .containsExactlyInAnyOrder(".gitignore", "forced.bin", "new.py", "train.py");
    assertThat(clean.changesTo(dirty)).containsExactly("new.py (new)");
  }

  private boolean git(String... arguments) throws Exception {
    List<String> command = new java.util.ArrayList<>(List.of("git"));
    command.addAll(List.of(arguments));
    try {
      return new ProcessBuilder(command).directory(workdir.toFile()).inheritIO().start().waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void relativePathsAboveTheWorkdirWork() throws IOException {
    Files.createDirectories(folder.resolve("repo/lib"));
    Files.writeString(folder.resolve("repo/lib/helper.py"), "help");

    CodeSnapshot snapshot = take();

    assertThat(snapshot.folder().resolve("../../lib/helper.py")).hasContent("help");
    assertThat(snapshot.folder().getFileName()).hasToString("mine");
  }

  /** The job file is outside of the workdir. */
  @Test
  void crowdedFolderLinksOnlyWhatTheProgramNames() throws IOException {
    Path parent = workdir.resolveSibling("");
    for (int i = 0; i < ParentFolders.MOST_ENTRIES; i++) {
      Files.writeString(parent.resolve("unrelated-" + i), "");
    }
    for (String name : List.of("data", "My Data", "images", "absent")) {
      Files.createDirectories(parent.resolve(name));
      Files.writeString(parent.resolve(name).resolve("x.txt"), name);
    }
    write("train.py", "open(os.path.join('..', 'data', 'x.txt')); open(\"../My Data/x.txt\")");
    Path job = Files.writeString(folder.resolve("job.yaml"), "run: python train.py ../images");

    CodeSnapshot snapshot =
        CodeSnapshot.take(CodeTree.of(workdir, Set.of()), Set.of(job), folder.resolve("run/code"));
    RunCode code = new RunCode(snapshot, folder.resolve("run/work"));
    code.createWork();
    Path trial = code.trialFolder(1);
    new TrialFolder(snapshot, trial).fill();

    for (Path copy : List.of(snapshot.folder(), trial)) {
      for (String name : List.of("data", "My Data", "images")) {
        assertThat(copy.resolve("..").resolve(name).resolve("x.txt")).hasContent(name);
      }
      assertThat(copy.resolve("../absent")).doesNotExist();
      assertThat(copy.resolve("../unrelated-1")).doesNotExist();
    }
    assertThat(snapshot.restrictedParents()).containsExactly(parent);
  }

  @Test
  void crowdedFolderMattersOnlyToProgramsThatUseIt() throws IOException {
    for (int i = 0; i <= ParentFolders.MOST_ENTRIES; i++) {
      Files.writeString(workdir.resolveSibling("unrelated-" + i), "");
    }

    Files.writeString(workdir.resolve("dots.py"), "# Nothing... here\n");
    assertThat(take().restrictedParents()).isEmpty();
  }

  /** In a folder such as {@code /tmp}, others may put what they like. */
  @Test
  void folderOfAllUsersLinksOnlyWhatTheProgramNames() throws IOException {
    Path parent = workdir.resolveSibling("");
    Files.setAttribute(parent, "unix:mode", 01777);
    Files.createDirectories(parent.resolve("data"));
    Files.createDirectories(parent.resolve("unrelated"));
    write("train.py", "open('/elsewhere/data')");
    CodeSnapshot without = take();

    write("train.py", "open('../data/x.txt')");
    CodeSnapshot with =
        CodeSnapshot.take(
            CodeTree.of(workdir, Set.of()), Set.of(), folder.resolve("run/other-code"));

    assertThat(without.folder().resolve("../data").normalize()).doesNotExist();
    assertThat(with.folder().resolve("../data").normalize()).isDirectory();
    assertThat(with.folder().resolve("../unrelated").normalize()).doesNotExist();
    assertThat(with.restrictedParents()).containsExactly(parent);
  }

  /** A run links once: what appears later in the folders above is not part of it. */
  @Test
  void workingFoldersHaveTheLinksOfTheSnapshot() throws IOException {
    Path lib = Files.createDirectories(folder.resolve("repo/lib"));
    Files.writeString(lib.resolve("helper.py"), "help");
    RunCode code = new RunCode(take(), folder.resolve("run/work"));
    Files.createDirectories(folder.resolve("repo/later"));
    code.createWork();
    code.createWork(); // a resume

    assertThat(code.trialFolder(1).resolve("../../lib/helper.py").normalize()).hasContent("help");
    assertThat(code.trialFolder(1).resolve("../../later").normalize()).doesNotExist();
  }

  @Test
  void linksStayInsideOrNameTheOriginal() throws IOException {
    Path outside = Files.writeString(folder.toRealPath().resolve("outside.txt"), "out");
    Files.createSymbolicLink(workdir.resolve("inside"), workdir.resolve("train.py"));
    Files.createSymbolicLink(workdir.resolve("away"), Path.of("../../../outside.txt"));
    Files.createSymbolicLink(workdir.resolve("dangling"), Path.of("nowhere"));

    Path copy = take().folder();

    assertThat(Files.readSymbolicLink(copy.resolve("inside"))).isEqualTo(Path.of("train.py"));
    assertThat(Files.readSymbolicLink(copy.resolve("away"))).isEqualTo(outside);
    assertThat(Files.readSymbolicLink(copy.resolve("dangling"))).isEqualTo(Path.of("nowhere"));
  }

  @Test
  void fifosAreLinkedAndNeverRead() throws Exception {
    assumeTrue(
        new ProcessBuilder("mkfifo", workdir.resolve("pipe").toString()).start().waitFor() == 0,
        "mkfifo is not available");

    assertThat(take().folder().resolve("pipe")).isSymbolicLink();
  }

  @Test
  void elastunesOwnFoldersAreLeftOut() throws IOException {
    write("home/runs/x/journal.db", "db");
    CodeTree tree = CodeTree.of(workdir, Set.of(workdir.resolve("home")));
    CodeSnapshot snapshot = CodeSnapshot.take(tree, Set.of(), folder.resolve("run/code"));

    assertThat(snapshot.folder().resolve("home")).doesNotExist();
  }

  @Test
  void foldersOfTheMetricAreThoseOfEachTrial() throws IOException {
    write(".gitignore", "artifacts/\n");
    write("artifacts/data/old.txt", "x");
    write("artifacts/metrics/old.json", "x");
    CodeTree tree = CodeTree.of(workdir, Set.of(), Set.of("artifacts", "artifacts/metrics"));

    assertThat(tree.folders()).containsExactly("artifacts", "artifacts/metrics");
    assertThat(tree.links()).contains("artifacts/data");
    assertThat(CodeTree.of(workdir, Set.of()).links()).contains("artifacts");
  }

  @Test
  void tooMuchCodeNamesTheLargestFilesAndTheRemedies() throws IOException {
    write("data.bin", "x".repeat(3_000_000));
    CodeTree tree = CodeTree.of(workdir, Set.of());

    assertThatThrownBy(() -> tree.checkSize(1_000_000))
        .isInstanceOf(CodeException.class)
        .hasMessageContaining("3.0 MB in 2 files, above trial.max_code_size (1.0 MB)")
        .hasMessageContaining("largest: data.bin (3.0 MB), train.py")
        .extracting(e -> ((CodeException) e).hint())
        .asString()
        .contains(".elastuneignore", "trial.max_code_size");
  }

  @Test
  void hashIgnoresTimeFolderAndElastunesInputs() throws IOException {
    Path job = write("job.yaml", "deadline: 1h");
    CodeTree tree = CodeTree.of(workdir, Set.of());
    String before = CodeSnapshot.scan(tree, Set.of(job)).hash();
    write("job.yaml", "deadline: 2h");
    write("train.py", "print(1)");

    assertThat(CodeSnapshot.scan(tree, Set.of(job)).hash()).isEqualTo(before);
    write("train.py", "print(2)");
    assertThat(CodeSnapshot.scan(tree, Set.of(job)).hash()).isNotEqualTo(before);
  }

  @Test
  void fileThatChangesWhileItIsCopiedIsConsistentOrAnError() throws Exception {
    Path file = write("growing.txt", "x");
    AtomicBoolean stop = new AtomicBoolean();
    Thread writer =
        new Thread(
            () -> {
              String text = "x".repeat(100_000);
              while (!stop.get()) {
                try {
                  Files.writeString(file, text);
                  text = text + "y";
                } catch (IOException e) {
                  throw new IllegalStateException(e);
                }
              }
            });
    writer.start();
    try {
      CodeSnapshot snapshot = take();
      CodeManifest.Entry entry =
          snapshot.manifest().files().stream()
              .filter(one -> one.path().equals("growing.txt"))
              .findFirst()
              .orElseThrow();
      assertThat(Files.size(snapshot.folder().resolve("growing.txt"))).isEqualTo(entry.bytes());
    } catch (CodeException e) {
      assertThat(e).hasMessageContaining("growing.txt changed");
    } finally {
      stop.set(true);
      writer.join();
    }
  }

  @Test
  void interruptedCopyIsReplacedAndMissingFileIsReported() throws IOException {
    Files.createDirectories(folder.resolve("run/code.tmp/tree/x"));
    CodeSnapshot snapshot = take();

    assertThat(folder.resolve("run/code.tmp")).doesNotExist();
    Files.delete(snapshot.folder().resolve("train.py"));
    assertThatThrownBy(() -> CodeSnapshot.open(snapshot.root()))
        .isInstanceOf(CodeException.class)
        .hasMessageContaining("train.py is missing");
  }

  @Test
  void trialHasItsOwnCopiesAndOnlyItsResultsStay() throws IOException {
    write(".gitignore", "data/\nlightning_logs/\n*.pt\n");
    write("data/x.bin", "data");
    write("lightning_logs/old.txt", "earlier");
    write("model.pt", "earlier");
    Files.createDirectories(workdir.resolve("empty"));
    RunCode code = new RunCode(take(), folder.resolve("run/work"));
    code.createWork();
    Path one = code.trialFolder(1);
    Path two = code.trialFolder(2);
    new TrialFolder(code.snapshot(), one).fill();
    new TrialFolder(code.snapshot(), two).fill();

    for (Path trial : List.of(one, two)) {
      Files.writeString(trial.resolve("model.pt"), "of " + trial);
      Files.writeString(trial.resolve("lightning_logs/new.txt"), "of " + trial);
      Files.writeString(trial.resolve("empty/x"), "of " + trial);
      Files.createDirectories(trial.resolve("__pycache__"));
      Files.writeString(trial.resolve("__pycache__/x.pyc"), "");
      assertThat(trial.resolve("data/x.bin")).hasContent("data");
      assertThat(trial.resolve("../mine/train.py")).hasContent("print(1)");
    }

    assertThat(one.resolve("model.pt")).hasContent("of " + one);
    assertThat(one.resolve("lightning_logs/new.txt")).hasContent("of " + one);
    assertThat(workdir.resolve("model.pt")).hasContent("earlier");
    assertThat(code.snapshot().folder().resolve("model.pt")).hasContent("earlier");
    assertThat(workdir.resolve("lightning_logs/new.txt")).doesNotExist();

    new TrialFolder(code.snapshot(), one).prune();
    try (var left = Files.walk(one)) {
      assertThat(left.filter(path -> !Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)))
          .containsExactlyInAnyOrder(
              one.resolve("model.pt"),
              one.resolve("lightning_logs/new.txt"),
              one.resolve("empty/x"));
    }
    new TrialFolder(code.snapshot(), one).fill();
    assertThat(one.resolve("train.py")).hasContent("print(1)");
    assertThat(one.resolve("model.pt")).hasContent("of " + one);
  }

  @Test
  void largeFilesAndResultsOfSetupAreLinked() throws IOException {
    write("large.bin", "x".repeat(LARGE));
    RunCode code = new RunCode(take(), folder.resolve("run/work"));
    code.createWork();
    Files.createDirectories(code.setupFolder().resolve("built"));
    Files.writeString(code.setupFolder().resolve("built/lib.so"), "so");
    Path trial = code.trialFolder(7);
    new TrialFolder(code.snapshot(), trial).fill();

    assertThat(trial.resolve("large.bin")).isSymbolicLink().hasSize(LARGE);
    assertThat(trial.resolve("built")).isSymbolicLink();
    assertThat(trial.resolve("built/lib.so")).hasContent("so");
  }

  @Test
  void siblingNamedLikeTrialIsNeverWritten() throws IOException {
    Path sibling = Files.createDirectories(workdir.resolveSibling("trial-1"));
    RunCode code = new RunCode(take(), folder.resolve("run/work"));
    code.createWork();
    new TrialFolder(code.snapshot(), code.trialFolder(1)).fill();

    assertThat(sibling).isEmptyDirectory();
  }

  @Test
  void findsTheSnapshotOfAFolder() throws IOException {
    write("tree/manifest.json", "{}");
    CodeSnapshot snapshot = take();

    assertThat(CodeSnapshot.ofFolder(snapshot.folder())).contains(snapshot);
    assertThat(CodeSnapshot.ofFolder(snapshot.folder().resolveSibling("other"))).isEmpty();
    assertThat(CodeSnapshot.ofFolder(workdir)).isEmpty();
  }
}
