# Chromium, in which tests open the console.

browser_tools() { has chromium || has chromium-browser || has google-chrome || need chromium chromium; }

browser_build() { :; }
