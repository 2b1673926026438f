package io.elastune.cli.rented;

import io.elastune.cli.CommandLineApp;
import io.elastune.cli.world.World;

/**
 * Runs a command without {@code System.exit}: an open client or a running thread keeps the process
 * alive.
 */
public final class WithoutExit {
  private WithoutExit() {}

  public static void main(String[] arguments) {
    World world = World.real();
    int exit = new CommandLineApp(world).run(arguments);
    world.out().flush();
    world.err().println("exit " + exit);
  }
}
