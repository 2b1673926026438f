package io.elastune.cli.rented;

import io.elastune.cli.CommandLineApp;
import io.elastune.cli.world.World;

/**
 * Runs a command and does not end the process by force: a client that is left open, or a thread
 * that nobody ends, keeps it there for ever.
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
