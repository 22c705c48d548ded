;;; emacs_check.el --- Drives a real Emacs: emacs -q --batch -l emacs_check.el  -*- lexical-binding: t; -*-
;; COUNTERCLAIM_PLUGIN is counterclaim.el, COUNTERCLAIM_COMMAND the server's command as JSON, COUNTERCLAIM_MAIN the file.

(require 'json)
(package-initialize)
(setq make-backup-files nil create-lockfiles nil auto-save-default nil
      eglot-sync-connect 10 eglot-send-changes-idle-time 0.05 flymake-no-changes-timeout 0.1
      eglot-confirm-server-initiated-edits nil)
(load (getenv "COUNTERCLAIM_PLUGIN") nil t)
(setq counterclaim-command (append (json-parse-string (getenv "COUNTERCLAIM_COMMAND")) nil))

(defun step (name passed &optional detail)
  (message "%s %s" (if passed "ok" (format "FAILED %S" detail)) name)
  (unless passed (kill-emacs 1)))

(defun eventually (name condition)
  (let ((end (+ (float-time) 20)))
    (while (and (not (funcall condition)) (< (float-time) end))
      (flymake-start)
      (accept-process-output nil 0.05))
    (step name (funcall condition) (mapcar #'flymake-diagnostic-text (flymake-diagnostics)))))

(defun keys ()
  "The text of everything that is marked as an undefined key."
  (mapcar (lambda (d) (buffer-substring-no-properties (flymake-diagnostic-beg d) (flymake-diagnostic-end d)))
          (seq-filter (lambda (d) (string-match-p "No bibliography entry" (flymake-diagnostic-text d)))
                      (flymake-diagnostics))))

(find-file (getenv "COUNTERCLAIM_MAIN"))
(latex-mode)
(unless (eglot-managed-p)
  (apply #'eglot--connect (eglot--guess-contact)))
(eventually "the buffer is managed" (lambda () (eglot-managed-p)))
(flymake-mode 1)
(eventually "a diagnostic arrives at the key" (lambda () (equal (keys) '("tiger2020"))))

(goto-char (point-min))
(insert "new line é𝔸\n")
(eglot--signal-textDocument/didChange)
(eventually "it moves while typing" (lambda () (equal (keys) '("tiger2020"))))

(let* ((d (car (flymake-diagnostics)))
       (actions (eglot-code-actions (flymake-diagnostic-beg d) (flymake-diagnostic-end d) "quickfix"))
       (fix (seq-find (lambda (a) (string-match-p "Replace by" (plist-get a :title))) (append actions nil))))
  (step "a fix is offered" fix actions)
  (eglot--apply-workspace-edit (plist-get fix :edit) nil))
(step "a code action changes the buffer"
      (string-match-p (regexp-quote "\\cite{tiger2021}") (buffer-string)) (buffer-string))
(eglot--signal-textDocument/didChange)
(eventually "the finding goes" (lambda () (null (keys))))

(let ((answer (eglot-execute-command (eglot-current-server) 'counterclaim.status [])))
  (step "a command answers" (string-match-p "Root main.tex" (plist-get answer :message)) answer))
(set-buffer-modified-p nil)
(eglot-shutdown (eglot-current-server) nil 5)
(kill-emacs 0)
