/** Sends notifications about a run to webhooks and commands, without delaying the run. */
@NullMarked
package io.elastune.cli.notify;

import org.jspecify.annotations.NullMarked;
