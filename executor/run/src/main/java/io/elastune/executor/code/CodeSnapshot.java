package io.elastune.executor.code;

import io.elastune.core.files.PrivateFiles;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * A private copy of the code in a workdir, in the folder of a run. Entries that are no code are
 * links to the workdir. {@code setup} runs in it.
 *
 * @param root the folder of the snapshot
 * @param manifest its contents
 */
public record CodeSnapshot(Path root, CodeManifest manifest) {
  private static final String MANIFEST = "manifest.json";
  private static final String TREE = "tree";

  /** Returns the copy of the workdir. */
  public Path folder() {
    return root.resolve(manifest.folder());
  }

  /**
   * Reads what a snapshot of a workdir would contain, without a copy.
   *
   * @param inputs files for Elastune, such as the job file, by absolute path
   * @throws CodeException if a file cannot be read
   */
  public static CodeManifest scan(CodeTree tree, Set<Path> inputs) {
    try {
      return manifest(tree, inputs, TREE, Optional.empty());
    } catch (IOException e) {
      throw unreadable(tree, e);
    }
  }

  /**
   * Takes a snapshot.
   *
   * @param root the folder to create; it appears only when it is complete
   * @param inputs files for Elastune, such as the job file, by absolute path
   * @throws CodeException if a file cannot be read or written
   */
  public static CodeSnapshot take(CodeTree tree, Set<Path> inputs, Path root) {
    Path temporary = root.resolveSibling(root.getFileName() + ".tmp");
    try {
      FolderRemover.remove(temporary); // of a controller that was killed
      PrivateFiles.createFolder(temporary);
      Path parent = ParentFolders.create(temporary.resolve(TREE), tree.workdir());
      Path folder = parent.resolve(String.valueOf(tree.workdir().getFileName()));
      PrivateFiles.createFolder(folder);
      String path = temporary.relativize(folder).toString();
      CodeManifest manifest = manifest(tree, inputs, path, Optional.of(folder));
      ParentFolders.link(
          temporary.resolve(TREE), tree.workdir(), program(folder, manifest, inputs));
      Path file = PrivateFiles.createFile(temporary.resolve(MANIFEST));
      Files.write(file, JsonMapper.shared().writeValueAsBytes(manifest));
      Files.move(temporary, root, StandardCopyOption.ATOMIC_MOVE);
      return new CodeSnapshot(root, manifest);
    } catch (IOException e) {
      throw unreadable(tree, e);
    } finally {
      removeQuietly(temporary);
    }
  }

  private static ProgramText program(Path folder, CodeManifest manifest, Set<Path> inputs) {
    Stream<Path> files = manifest.files().stream().map(entry -> folder.resolve(entry.path()));
    return ProgramText.of(Stream.concat(files, inputs.stream()).toList());
  }

  /**
   * Returns the folders above the workdir of which the program gets only the entries that it names,
   * because they have many; none if the program does not use folders above its own one.
   */
  public List<Path> restrictedParents() {
    List<Path> crowded = ParentFolders.crowded(Path.of(manifest.workdir()));
    return crowded.isEmpty() || !program(folder(), manifest, Set.of()).usesParentFolders()
        ? List.of()
        : crowded;
  }

  /** Creates the folders above the working folders of trials in {@code root}. */
  Path createParents(Path root) throws IOException {
    Path workdir = Path.of(manifest.workdir());
    Path parent = ParentFolders.create(root, workdir);
    ParentFolders.copyLinks(this.root.resolve(TREE), root, workdir);
    return parent;
  }

  private static void removeQuietly(Path temporary) {
    try {
      FolderRemover.remove(temporary);
    } catch (IOException e) {
      return; // removed with the folder of the run
    }
  }

  private static CodeException unreadable(CodeTree tree, IOException e) {
    String what = e instanceof AccessDeniedException ? "permission denied" : "cannot copy the code";
    return CodeException.of(what + " in " + tree.workdir(), e);
  }

  private static CodeManifest manifest(
      CodeTree tree, Set<Path> inputs, String path, Optional<Path> copy) throws IOException {
    Path workdir = tree.workdir();
    GitFolder git = new GitFolder(workdir);
    Optional<String> commit = git.commit();
    boolean dirty = commit.isPresent() && git.isDirty();
    List<CodeManifest.Entry> entries = new ArrayList<>();
    if (copy.isPresent()) {
      prepare(tree, copy.get());
    }
    for (CodeTree.CodeFile file : tree.files()) {
      Path original = workdir.resolve(file.path());
      Optional<CodeManifest.Entry> entry =
          copy.isPresent()
              ? FileCopier.copy(original, file.path(), copy.get().resolve(file.path()))
              : FileCopier.hash(original, file.path());
      entry.ifPresent(entries::add);
    }
    for (String link : tree.codeLinks()) {
      String target = Files.readSymbolicLink(workdir.resolve(link)).toString();
      entries.add(new CodeManifest.Entry(link, 0, "-> " + target, false));
    }
    TreeSet<String> without = new TreeSet<>();
    inputs.stream()
        .filter(file -> file.startsWith(workdir))
        .forEach(file -> without.add(workdir.relativize(file).toString()));
    return new CodeManifest(
        workdir.toString(), path, commit, dirty, tree.folders(), entries, List.copyOf(without));
  }

  /** Creates folders and links, and copies the small files that are no code. */
  private static void prepare(CodeTree tree, Path copy) throws IOException {
    for (String folder : tree.folders()) {
      PrivateFiles.createFolder(copy.resolve(folder));
    }
    for (String link : tree.codeLinks()) {
      Path original = tree.workdir().resolve(link);
      Files.createSymbolicLink(copy.resolve(link), target(tree.workdir(), original));
    }
    for (String link : tree.links()) {
      Files.createSymbolicLink(copy.resolve(link), tree.workdir().resolve(link));
    }
    for (String file : tree.ignoredFiles()) {
      Path original = tree.workdir().resolve(file);
      if (Files.isSymbolicLink(original)) {
        Files.createSymbolicLink(copy.resolve(file), target(tree.workdir(), original));
      } else {
        FileCopier.copy(original, file, copy.resolve(file));
      }
    }
  }

  /** A link inside the workdir stays relative; one that leaves it names the original file. */
  private static Path target(Path workdir, Path link) throws IOException {
    Path folder = link.resolveSibling("");
    Path target = folder.resolve(Files.readSymbolicLink(link)).normalize();
    return target.startsWith(workdir) ? folder.relativize(target) : target;
  }

  /**
   * Opens a snapshot.
   *
   * @throws CodeException if it is missing or incomplete
   */
  public static CodeSnapshot open(Path root) {
    try {
      CodeManifest manifest =
          JsonMapper.shared()
              .readValue(Files.readAllBytes(root.resolve(MANIFEST)), CodeManifest.class);
      CodeSnapshot snapshot = new CodeSnapshot(root, manifest);
      for (CodeManifest.Entry entry : manifest.files()) {
        if (!Files.exists(snapshot.folder().resolve(entry.path()), LinkOption.NOFOLLOW_LINKS)) {
          throw damaged(root, entry.path() + " is missing");
        }
      }
      return snapshot;
    } catch (IOException | JacksonException e) {
      throw damaged(root, e.toString());
    }
  }

  /**
   * Returns the snapshot whose copy of the workdir is {@code folder}; empty if it is no such copy.
   *
   * @throws CodeException if the snapshot is incomplete
   */
  public static Optional<CodeSnapshot> ofFolder(Path folder) {
    for (Path root = folder.getParent(); root != null; root = root.getParent()) {
      if (folder.startsWith(root.resolve(TREE)) && Files.isRegularFile(root.resolve(MANIFEST))) {
        return Optional.of(open(root)).filter(snapshot -> snapshot.folder().equals(folder));
      }
    }
    return Optional.empty();
  }

  private static CodeException damaged(Path root, String why) {
    return new CodeException(
        "the code snapshot " + root + " is damaged: " + why,
        "use the present code of the workdir: --code current");
  }
}
