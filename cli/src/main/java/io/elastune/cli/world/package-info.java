/** What a command sees of the world around it: streams, environment, folders, clock. */
@NullMarked
package io.elastune.cli.world;

import org.jspecify.annotations.NullMarked;
