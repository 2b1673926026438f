package io.elastune.executor.ray.runtime;

import io.elastune.executor.code.TarWriter;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/** Removes, lists and packs the files of a runtime. */
final class RuntimeFiles {
  /** What neither Ray nor an agent uses: a third of the size of all files. */
  private static final List<String> UNUSED =
      List.of(
          "include",
          "libs",
          "share",
          "python3.*",
          "libjnipython.so",
          "bin/{2to3,c_rehash,idle,pip,pydoc,python3-config,python3.*-config}*",
          "lib/{engines-3,ossl-modules,pkgconfig}",
          "lib/{tcl,tk,itcl,thread}*",
          "lib/python3.*/{config-*,ensurepip,idlelib,lib2to3,test,tkinter,turtledemo}",
          "lib/python3.*/site-packages/{pip,setuptools,pkg_resources,_distutils_hack}",
          "lib/python3.*/site-packages/{pip,setuptools}-*",
          "lib/python3.*/site-packages/distutils-precedence.pth",
          "lib/python3.*/site-packages/bin",
          "lib/python3.*/site-packages/ray/{jars,rllib}");

  private static final List<String> FIELDS =
      List.of("License-Expression: ", "License: ", "Classifier: License :: ");

  private RuntimeFiles() {}

  /** Deletes what nodes do not use, and all compiled files. */
  static void prune(Path folder) throws IOException {
    List<PathMatcher> unused =
        UNUSED.stream()
            .map(glob -> FileSystems.getDefault().getPathMatcher("glob:" + glob))
            .toList();
    Predicate<Path> isUnused =
        path ->
            path.endsWith("__pycache__")
                || unused.stream().anyMatch(one -> one.matches(folder.relativize(path)));
    for (Path path : all(folder)) {
      if (isUnused.test(path)) {
        delete(path);
      }
    }
  }

  /** Returns the files and folders below a folder, sorted; links are not followed. */
  private static List<Path> all(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> !file.equals(folder)).sorted().toList();
    }
  }

  /** Deletes a file or folder, if it exists. */
  static void delete(Path path) throws IOException {
    try (Stream<Path> files = Files.walk(path)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (NoSuchFileException e) {
      return; // another part of the same folder
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** Returns name, version and license of each package. Their texts are beside it. */
  static List<String> licenses(Path packages) throws IOException {
    List<String> lines = new ArrayList<>();
    for (Path path : all(packages)) {
      if (path.endsWith("METADATA")) {
        lines.add(license(packages.relativize(path), Files.readString(path)));
      }
    }
    return lines;
  }

  private static String license(Path file, String metadata) {
    List<String> header = metadata.lines().takeWhile(line -> !line.isEmpty()).toList();
    String license =
        FIELDS.stream()
            .map(
                field ->
                    header.stream()
                        .filter(line -> line.startsWith(field))
                        .map(line -> line.substring(field.length()).strip())
                        .collect(Collectors.joining(", ")))
            .filter(found -> !found.isEmpty() && !found.equals("UNKNOWN"))
            .findFirst()
            .orElse("see its files");
    return field(header, "Name: ")
        + " "
        + field(header, "Version: ")
        + ": "
        + license
        + " ("
        + file.getParent()
        + ")";
  }

  private static String field(List<String> header, String name) {
    Optional<String> line = header.stream().filter(some -> some.startsWith(name)).findFirst();
    return line.map(found -> found.substring(name.length()).strip()).orElse("?");
  }

  /** Packs a folder. Times and owners are omitted, so equal files make equal archives. */
  static void pack(Path folder, Path archive) throws IOException {
    try (TarWriter tar =
        new TarWriter(
            new BufferedOutputStream(
                new GZIPOutputStream(Files.newOutputStream(archive)), 1 << 16))) {
      for (Path path : all(folder)) {
        String name = folder.relativize(path).toString();
        if (Files.isSymbolicLink(path)) {
          tar.addLink(name, Files.readSymbolicLink(path).toString());
        } else if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
          tar.addFolder(name);
        } else {
          tar.addFile(name, path, Files.isExecutable(path));
        }
      }
    }
  }

  /** Lets all users of this machine read a folder that was created for its owner. */
  static void makeReadable(Path folder) throws IOException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** Writes a text file with a final line end. */
  static void write(Path file, List<String> lines) throws IOException {
    Files.writeString(file, String.join("\n", lines) + "\n", StandardCharsets.UTF_8);
  }
}
