package io.elastune.provisioner.terraform;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A folder with Terraform files.
 *
 * @param blocks the blocks of all its files
 */
public record TerraformModule(Path folder, List<HclBlock> blocks) {
  /** Returns the folder {@code terraform} of the repository. */
  public static Path root() {
    Path module = Path.of(System.getProperty("basedir", "")).toAbsolutePath();
    return module.resolve("../../terraform").normalize();
  }

  static TerraformModule read(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      List<HclBlock> blocks =
          files
              .filter(file -> file.toString().endsWith(".tf"))
              .sorted()
              .flatMap(file -> read1(file).blocks().stream())
              .toList();
      return new TerraformModule(folder, blocks);
    }
  }

  private static HclBlock read1(Path file) {
    try {
      return HclReader.read(Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (RuntimeException e) {
      throw new IllegalArgumentException(file.getFileName() + ": " + e.getMessage(), e);
    }
  }

  /** Returns the blocks of a type, e.g. {@code variable}. */
  public Stream<HclBlock> blocks(String type) {
    return blocks.stream().filter(block -> block.type().equals(type));
  }

  /** Returns the resources of a type. */
  public Stream<HclBlock> resources(String type) {
    return blocks("resource").filter(block -> block.labels().get(0).equals(type));
  }

  /** Returns the names of the blocks of a type. */
  Set<String> names(String type) {
    return blocks(type).map(HclBlock::name).collect(Collectors.toCollection(TreeSet::new));
  }

  /** Returns all expressions, also in strings. */
  public Stream<String> expressions() {
    return blocks.stream().flatMap(HclBlock::expressions);
  }
}
