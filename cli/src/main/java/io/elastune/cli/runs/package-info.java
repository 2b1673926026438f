/**
 * Reads runs back from their journals, while they go on and afterwards, and asks them to stop.
 * Nothing here knows the controller but by its journal, its lock and its logs.
 */
@NullMarked
package io.elastune.cli.runs;

import org.jspecify.annotations.NullMarked;
