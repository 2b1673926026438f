package io.elastune.provisioner.terraform;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A block of a Terraform file.
 *
 * @param type e.g. {@code resource}; empty for a whole file
 * @param labels the labels without their quotes
 * @param arguments the expressions by name, as text
 */
public record HclBlock(
    String type, List<String> labels, Map<String, String> arguments, List<HclBlock> blocks) {
  public HclBlock {
    labels = List.copyOf(labels);
    arguments = Map.copyOf(arguments);
    blocks = List.copyOf(blocks);
  }

  /** Returns the blocks of a type directly in this block. */
  public Stream<HclBlock> blocks(String some) {
    return blocks.stream().filter(block -> block.type().equals(some));
  }

  /** Returns the only block of a type, if there is one. */
  public Optional<HclBlock> block(String some) {
    return blocks(some).findFirst();
  }

  /** Returns this block and all blocks in it. */
  public Stream<HclBlock> all() {
    return Stream.concat(Stream.of(this), blocks.stream().flatMap(HclBlock::all));
  }

  /** Returns all expressions of this block and of the blocks in it. */
  public Stream<String> expressions() {
    return all().flatMap(block -> block.arguments().values().stream());
  }

  /** Returns the expression of an argument; empty if it is not given. */
  public String text(String argument) {
    return arguments.getOrDefault(argument, "");
  }

  /** Returns the labels, joined by dots: {@code aws_vpc.this}. */
  public String name() {
    return String.join(".", labels);
  }
}
