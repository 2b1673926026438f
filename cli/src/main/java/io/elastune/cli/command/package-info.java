/** The commands of the command line: each class defines the options and calls a service. */
@NullMarked
package io.elastune.cli.command;

import org.jspecify.annotations.NullMarked;
