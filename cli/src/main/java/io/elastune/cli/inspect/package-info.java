/**
 * Inspects runs in progress and past runs, and requests them to stop. It depends only on a run's
 * journal, lock and logs, not on its controller.
 */
@NullMarked
package io.elastune.cli.inspect;

import org.jspecify.annotations.NullMarked;
